import { readdir } from 'node:fs/promises'
import { RUN_LIMITS } from '../../../domain/limits/run-limits.ts'
import { type PlaybookProblem, unknownName } from '../../../domain/playbook/playbook-problem.ts'
import { failure, type Result } from '../../../domain/result.ts'
import { createFolderFiles, type FolderFiles } from './folder-files.ts'
import { objectIn } from './plain-data.ts'

const BUILTIN = 'builtin/'

export type Prompts = {
  readonly problems: readonly PlaybookProblem[]
  /** The shipped prompts that the roles use, by their names in the playbook. */
  readonly builtins: readonly (readonly [string, string])[]
}

/** Reads the prompts of all roles, whatever else is wrong with the playbook. */
export async function readPrompts(files: FolderFiles, builtin: string, data: unknown): Promise<Prompts> {
  const shipped = createFolderFiles(builtin)
  const problems: PlaybookProblem[] = []
  const roles = Object.entries(objectIn(objectIn(data)['roles'])).slice(0, RUN_LIMITS.stages)
  for (const [name, role] of roles) {
    const { prompt } = objectIn(role)
    if (typeof prompt !== 'string' || prompt === '') continue
    const text = prompt.startsWith(BUILTIN)
      ? await readBuiltin(shipped, builtin, prompt.slice(BUILTIN.length))
      : await files.read(prompt, RUN_LIMITS.promptBytes)
    const problem = text.ok ? whyUnusable(prompt, text.value) : text.failure
    if (problem !== undefined) problems.push({ path: ['roles', name, 'prompt'], problem })
  }
  const builtins = [...shipped.texts].map(([name, text]) => [`${BUILTIN}${name}`, text] as const)
  return { problems, builtins }
}

async function readBuiltin(
  shipped: FolderFiles,
  builtin: string,
  name: string,
): Promise<Result<string, string>> {
  const entries = await readdir(builtin).catch((): string[] => [])
  const names = entries.filter((entry) => entry.endsWith('.md')).map((entry) => entry.slice(0, -3))
  return names.includes(name)
    ? shipped.read(`${name}.md`, RUN_LIMITS.promptBytes)
    : failure(unknownName('shipped prompt', name, names.sort()))
}

function whyUnusable(prompt: string, text: string): string | undefined {
  return text.trim() === '' ? `${prompt} is empty` : undefined
}
