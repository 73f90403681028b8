const SIGN = ' — '

/**
 * Those lines of a job's evidence that are about one clause, without its words: each line begins with the clause, cut
 * where it is long. All evidence for a goal of one clause is about that.
 */
export function evidenceOfClause(
  evidence: readonly string[],
  clauses: readonly string[],
  number: number,
): readonly string[] {
  if (clauses.length === 1) return evidence
  const clause = clauses[number - 1] ?? ''
  return evidence.flatMap((line) => {
    if (line.startsWith(`${clause}${SIGN}`)) return [line.slice(clause.length + SIGN.length)]
    const cut = line.indexOf(`…${SIGN}`)
    return cut > 0 && clause.startsWith(line.slice(0, cut)) ? [line.slice(cut + 1 + SIGN.length)] : []
  })
}
