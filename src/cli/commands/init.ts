import { constants, lstat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getSystemErrorMessage } from 'node:util'
import type { MusterClient } from '../../client/index.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { connectDaemon } from '../connect-daemon.ts'
import { bubblewrapAdvice, EVERY_COMMAND_ASKS } from '../doctor/bubblewrap-advice.ts'
import { USE_STRONGEST } from '../doctor/sandbox-finding.ts'
import { EXIT } from '../exit-code.ts'
import { AGENT_EXAMPLES } from '../init/agent-examples.ts'
import { committedFiles } from '../init/committed-files.ts'
import { configurationText } from '../init/configuration-text.ts'
import { detectChecks } from '../init/detect-checks.ts'
import { findProgram } from '../init/find-program.ts'
import { ownAgents } from '../init/own-agents.ts'
import { notWritten } from '../not-written.ts'
import type { Outcome, Problem } from '../problem.ts'
import { safeLine } from '../render/text/safe-text.ts'
import { findRepository } from '../repository/find-repository.ts'
import { noRepository } from '../repository/no-repository.ts'
import { trustOwnFile } from '../trust/with-trust.ts'

export type InitFlags = { readonly force?: true }

/** Writes a commented muster.yaml at the root of the repository. */
export async function initCommand(needs: CommandNeeds, flags: InitFlags): Promise<Outcome> {
  const { output, surroundings } = needs
  const repository = await findRepository(surroundings.cwd)
  if (repository === undefined) return failure(noRepository(surroundings.cwd))

  const path = join(repository, 'muster.yaml')
  if (flags.force !== true && (await isThere(path))) return failure(alreadyExists(path))
  const detected = await detectChecks(repository, surroundings.environment)
  const { setup, checks, uncommittedLock } = detected
  const programs = await installedPrograms(surroundings.environment['PATH'] ?? '')
  const connected = await connectDaemon(needs)
  const own = connected.ok ? await ownAgents(connected.value.client) : []
  const text = configurationText({ setup, checks, programs, hasOwnAgents: own.length > 0 })
  const written = await writeNew(path, text, flags.force === true)
  if (!written.ok) return written

  output.value({ success: true, data: { path, ...detected, programs, ownAgents: own } })
  output.print(`${output.paint('good', 'wrote')} ${path}`)
  if (setup.length > 0) output.print(`  setup: ${setup.join(', ')}`)
  if (uncommittedLock !== undefined) {
    output.print(
      `  ${uncommittedLock} is not committed, so agents don't see it; commit it and run  muster init --force`,
    )
  }
  output.print(checks.length === 0 ? '  checks: none found; add your own' : `  checks: ${checks.join(', ')}`)
  output.print(`  ${agentWords(programs, own)}`)
  if (connected.ok) await warnWithoutSandbox(needs, connected.value.client, repository)
  const hasAgent = programs.length + own.length > 0
  // Without a commit, nothing is known about committed files.
  const hasCommit = (await committedFiles(repository, [], surroundings.environment)) !== undefined
  for (const line of nextLines(hasAgent, hasCommit)) output.print(`  ${line}`)
  await trustWritten(needs, repository, connected)
  return success(EXIT.done)
}

/** What is left to do, in order. */
function nextLines(hasAgent: boolean, hasCommit: boolean): readonly string[] {
  const steps = [
    ...(hasAgent ? [] : ['install an agent']),
    ...(hasCommit ? [] : ['git add -A && git commit -m "start"']),
    'muster run "what you want done"',
  ]
  return steps.map((step, index) => `${index === 0 ? 'next' : 'then'}: ${step}`)
}

function agentWords(programs: readonly string[], own: readonly string[]): string {
  if (own.length > 0) return `agents from your own configuration: ${safeLine(own.join(', '))}`
  return programs.length > 0
    ? `agents found: ${programs.join(', ')}`
    : 'agents: none found on PATH; `muster doctor` shows how to install one'
}

async function isThere(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => true,
    () => false,
  )
}

/** The daemon has tried whether bubblewrap works. That it is installed is not enough, and a setting can disable it. */
async function warnWithoutSandbox(
  { output, surroundings }: CommandNeeds,
  client: MusterClient,
  repository: string,
): Promise<void> {
  const [status, listed] = await Promise.all([client.status(), client.listAgents(repository)])
  if (!status.ok) return
  const { sandboxLevel = 'auto' } = listed.ok ? listed.value : {}
  const isWeakened = sandboxLevel !== 'auto' && sandboxLevel !== 'bubblewrap'
  if (!isWeakened && status.value.daemon.containment === 'bubblewrap') return
  const advice = isWeakened
    ? USE_STRONGEST
    : await bubblewrapAdvice(surroundings.environment['PATH'] ?? '', process.platform)
  output.printProse(`  ${output.paint('warn', 'sandbox')}: ${EVERY_COMMAND_ASKS}`)
  output.printProse(`    to change that: ${advice}`)
}

/** The person asked for this file, so `run` need not ask about it. If that fails, `run` asks. */
async function trustWritten(
  needs: CommandNeeds,
  repository: string,
  connected: Awaited<ReturnType<typeof connectDaemon>>,
): Promise<void> {
  const problem = connected.ok ? await trustOwnFile(connected.value.client, repository) : connected.failure
  if (problem === undefined) return
  needs.output.note(`this file is not trusted yet, so \`muster run\` will ask about it: ${problem.message}`)
}

async function installedPrograms(searchPath: string): Promise<readonly string[]> {
  const names = AGENT_EXAMPLES.map((example) => example.program)
  const found = await Promise.all(names.map((name) => findProgram(name, searchPath)))
  return names.filter((_name, index) => found[index] !== undefined)
}

/** A repository could link its muster.yaml to any file of the person, which must not be overwritten. */
const OVERWRITE = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW

async function writeNew(path: string, text: string, force: boolean): Promise<Result<void, Problem>> {
  try {
    await writeFile(path, text, { flag: force ? OVERWRITE : 'wx' })
    return success(undefined)
  } catch (error) {
    const { code, errno } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return failure(alreadyExists(path))
    if (code === 'ELOOP') return failure(notWritten(path, 'it is a symbolic link; remove it first'))
    if (errno === undefined) throw error
    return failure(notWritten(path, getSystemErrorMessage(errno)))
  }
}

function alreadyExists(path: string): Problem {
  return {
    type: 'configuration-exists',
    exitCode: EXIT.conflict,
    message: `${path} already exists`,
    why: 'init does not overwrite a file that someone may have edited',
    next: 'muster init --force',
  }
}
