/** How long a service asks to wait, in milliseconds; undefined if it doesn't say. */
export function retryAfterOf(
  headers: Readonly<Record<string, string>> | undefined,
  now: number,
): number | undefined {
  const milliseconds = numberOf(headers?.['retry-after-ms'])
  if (milliseconds !== undefined) return milliseconds
  const text = headers?.['retry-after']
  const seconds = numberOf(text)
  if (seconds !== undefined) return seconds * 1_000
  const date = Date.parse(text ?? '')
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined
}
