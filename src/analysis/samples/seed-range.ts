/** A seed is taken modulo `size`, cut to `size` - 1, or wrapped to a signed number of 32 bits. */
export interface SeedRange {
  readonly how: 'modulo' | 'clamp' | 'signed';
  readonly size: number;
}
