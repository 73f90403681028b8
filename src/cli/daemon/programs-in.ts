import { delimiter, dirname } from 'node:path'
import { findProgram } from '../init/find-program.ts'
import type { EnvironmentGap } from './environment-gap.ts'

export type FoundProgram = { readonly program: string; readonly directory: string }

/** Those of these programs that are in directories that only this command's PATH has. */
export async function programsIn(
  { directories }: EnvironmentGap,
  programs: readonly string[],
): Promise<readonly FoundProgram[]> {
  const names = programs.filter((program) => !program.includes('/'))
  const found = await Promise.all(names.map((name) => findProgram(name, directories.join(delimiter))))
  return names.flatMap((program, index) => {
    const path = found[index]
    return path === undefined ? [] : [{ program, directory: dirname(path) }]
  })
}

export function programWords({ program, directory }: FoundProgram): string {
  return `${program} is in ${directory}, which is not in its PATH`
}
