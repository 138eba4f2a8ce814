/** Shorter values stand in any picture by chance. */
const LEAST_BYTES = 6;

/** Whether bytes that came back hold one of the secrets, as it is or in base64. */
export function holdsSecret(bytes: Uint8Array, secrets: readonly string[]): boolean {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return secrets.some((secret) => {
    const plain = Buffer.from(secret, 'utf8');
    if (plain.length < LEAST_BYTES) return false;
    return content.includes(plain) || content.includes(plain.toString('base64').replace(/=+$/, ''), 0, 'latin1');
  });
}
