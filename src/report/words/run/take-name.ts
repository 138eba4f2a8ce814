/** `take 2`, of a sweep `take 2 at concurrency 4`. */
export function takeName({ repeat, step }: { readonly repeat: number; readonly step: number | null }): string {
  return step === null ? `take ${repeat}` : `take ${repeat} at concurrency ${step}`;
}
