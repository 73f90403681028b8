/** A whole number from 1 up to `limit`; nothing for any other text. */
export function parseCount(text: string, limit: number): number | undefined {
  if (!/^\d{1,9}$/.test(text)) return undefined
  const count = Number(text)
  return count >= 1 && count <= limit ? count : undefined
}
