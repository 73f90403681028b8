import { VERDICTS } from './verdict.ts'

/** Why an answer decides nothing, if it contains different verdicts; undefined if it doesn't. */
export function describeConflictingVerdicts(text: string): string | undefined {
  const words = [...text.matchAll(/"verdict"\s*:\s*"\s*([a-z_]{1,20})\s*"/gi)].map(([, word = '']) =>
    word.toUpperCase(),
  )
  const given = VERDICTS.filter((verdict) => words.includes(verdict))
  if (given.length < 2) return undefined
  return `the output contains different verdicts (${given.join(', ')}), so none of them counts; print exactly one, as the last thing`
}
