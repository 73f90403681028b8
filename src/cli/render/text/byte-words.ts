const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const

/** A size that people can read: 812 bytes, 4.2 MB, 31 GB. */
export function byteWords(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3))
  const amount = bytes / 1000 ** power
  const digits = power === 0 || amount >= 10 ? 0 : 1
  return `${amount.toFixed(digits)} ${UNITS[power] ?? ''}`
}
