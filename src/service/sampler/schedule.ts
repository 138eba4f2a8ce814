/**
 * The noise levels of Karras et al. 2022 (Elucidating the Design Space of Diffusion-Based Generative Models, equation
 * 5): sigma_i = (max^(1/rho) + i / (n - 1) (min^(1/rho) - max^(1/rho)))^rho with rho = 7, falling, without 0. `count`
 * is at least 2.
 */
export function karrasLevels(count: number, lowest: number, highest: number): readonly number[] {
  const from = highest ** (1 / 7);
  const to = lowest ** (1 / 7);
  return Array.from({ length: count }, (_, i) => {
    const root = from + (i / (count - 1)) * (to - from);
    const cube = root * root * root;
    return cube * cube * root;
  });
}
