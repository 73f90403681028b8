import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { failure, success } from '../../domain/result.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { EXIT } from '../exit-code.ts'
import { AGENT_EXAMPLES } from '../init/agent-examples.ts'
import { configurationText } from '../init/configuration-text.ts'
import { detectChecks } from '../init/detect-checks.ts'
import { findProgram } from '../init/find-program.ts'
import type { Outcome, Problem } from '../problem.ts'
import { findRepository } from '../repository/find-repository.ts'
import { noRepository } from '../repository/no-repository.ts'

export type InitFlags = { readonly force?: true }

/** Writes a commented muster.yaml at the root of the repository. */
export async function initCommand(needs: CommandNeeds, flags: InitFlags): Promise<Outcome> {
  const { output, surroundings } = needs
  const repository = await findRepository(surroundings.cwd)
  if (repository === undefined) return failure(noRepository(surroundings.cwd))

  const { setup, checks } = await detectChecks(repository)
  const programs = await installedPrograms(surroundings.environment['PATH'] ?? '')
  const path = join(repository, 'muster.yaml')
  const written = await writeNew(path, configurationText({ setup, checks, programs }), flags.force === true)
  if (!written) return failure(alreadyThere(path))

  output.value({ success: true, data: { path, setup, checks, programs } })
  output.print(`${output.paint('good', 'wrote')} ${path}`)
  if (setup.length > 0) output.print(`  setup: ${setup.join(', ')}`)
  output.print(checks.length === 0 ? '  checks: none found, add your own' : `  checks: ${checks.join(', ')}`)
  output.print(
    programs.length === 0 ? '  agents: none found on PATH' : `  agents found: ${programs.join(', ')}`,
  )
  const first = programs.length === 0 ? 'name an agent in muster.yaml, then  ' : ''
  output.print(`  next: ${first}muster run "what you want done"`)
  return success(EXIT.done)
}

async function installedPrograms(searchPath: string): Promise<readonly string[]> {
  const names = AGENT_EXAMPLES.map((example) => example.program)
  const found = await Promise.all(names.map((name) => findProgram(name, searchPath)))
  return names.filter((_name, index) => found[index] !== undefined)
}

async function writeNew(path: string, text: string, force: boolean): Promise<boolean> {
  try {
    await writeFile(path, text, { flag: force ? 'w' : 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function alreadyThere(path: string): Problem {
  return {
    type: 'configuration-exists',
    exitCode: EXIT.conflict,
    message: `${path} is there already`,
    why: 'init does not overwrite what someone may have written by hand',
    next: 'muster init --force',
  }
}
