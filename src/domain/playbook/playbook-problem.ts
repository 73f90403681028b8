import { closestWord } from '../closest-word.ts'

/** What is wrong with a playbook, and where: the path of fields from its root. */
export type PlaybookProblem = {
  readonly path: readonly (string | number)[]
  readonly problem: string
}

/** Says that a name isn't known, and which one was probably meant. */
export function unknownName(kind: string, name: string, known: readonly string[]): string {
  const meant = closestWord(name, known)
  if (meant !== undefined) return `there is no ${kind} "${name}"; did you mean "${meant}"?`
  if (known.length === 0) return `there is no ${kind} "${name}"`
  return `there is no ${kind} "${name}"; there are: ${known.join(', ')}`
}
