/** The value below which this share of the samples lies. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((one, other) => one - other)
  const index = Math.min(sorted.length - 1, Math.floor(sorted.length * share))
  return sorted[index] ?? Number.NaN
}

export function median(samples: readonly number[]): number {
  return percentile(samples, 0.5)
}

/** One line of output: what was measured, the figure, its floor, and whether the aim was met. */
export type Figure = {
  readonly what: string
  readonly figure: string
  readonly floor?: string
  readonly aim?: string
  readonly isMet?: boolean
}

export function report(line: Figure): void {
  const parts = [line.what.padEnd(44), line.figure.padEnd(30)]
  if (line.floor !== undefined) parts.push(`floor ${line.floor}`)
  if (line.aim !== undefined) parts.push(`aim ${line.aim}: ${line.isMet ? 'met' : 'MISSED'}`)
  process.stdout.write(`${parts.join('  ')}\n`)
}

export const milliseconds = (value: number): string => `${value.toFixed(value < 10 ? 2 : 1)} ms`
