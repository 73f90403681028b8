import { failure, type Result, success } from '../../../domain/result.ts'
import type { HostFailure, HostStarted } from '../../../ports/session-host.ts'
import { describeFailure } from '../../describe-failure.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import { withSetup } from '../../trees/with-setup.ts'
import { hostOf } from '../host-of.ts'
import { outboxIn, promptFileIn } from '../session-environment.ts'
import { type ProgramStart, planSpawn, type SpawnPlan } from './plan-spawn.ts'

type Needs = Pick<
  EngineNeeds,
  | 'store'
  | 'trees'
  | 'host'
  | 'terminals'
  | 'disk'
  | 'providers'
  | 'roles'
  | 'crash'
  | 'settings'
  | 'configuration'
>

/** Used until a viewer attaches with its own size. */
const USUAL_SIZE = { columns: 120, rows: 30 }

/** The started host, and how its conversation opens if it has one. */
export type Spawned = { readonly started: HostStarted } & Pick<SpawnPlan, 'opening'>

/**
 * Creates the working tree and starts the program in it. Safe to repeat after a crash at any point: it finds what the
 * first run left (tree, prompt) and continues from there.
 */
export async function spawnProgram(needs: Needs, request: ProgramStart): Promise<Result<Spawned, string>> {
  const { workplace } = request
  if (workplace.isFresh === true) await needs.trees.remove(workplace.tree.directory)
  const [opened, sessionDirectory] = await Promise.all([
    needs.trees.open(workplace.tree),
    prepareDirectory(needs, request),
  ])
  if (!opened.ok) return failure(`its working tree could not be created: ${describeFailure(opened.failure)}`)
  needs.crash.reach('attempt-start.after-tree')
  const spawn = await planSpawn(needs, request, sessionDirectory)
  if (!spawn.ok) return spawn
  const { plan, homeDirectories, opening } = spawn.value
  for (const [path, text] of Object.entries(plan.files ?? {})) await needs.disk.writeFile(path, text)
  // The sandbox can only show directories that exist. Without them, the program's first log-in would be lost.
  for (const path of homeDirectories) await needs.disk.makeDirectory(path)
  for (const { from, to } of plan.copies ?? []) await needs.disk.copyIfAbsent(from, to)
  const started = await start(needs, request, spawn.value)
  if (!started.ok) return failure(describeFailure(started.failure))
  needs.crash.reach('attempt-start.after-spawn')
  return success({ started: started.value, ...(opening === undefined ? {} : { opening }) })
}

/** Interactive sessions get a terminal; the others a host that spools their output. */
function start(
  needs: Needs,
  { session, workplace }: ProgramStart,
  { plan, sandbox, hasInput }: SpawnPlan,
): Promise<Result<HostStarted, HostFailure>> {
  const { setupMs, outputCapBytes } = needs.settings
  const common = {
    hostId: hostOf(session),
    command: withSetup(plan.command, workplace.setup, setupMs),
    environment: plan.environment,
    cwd: workplace.tree.directory,
    sandbox,
  }
  return session.mode === 'interactive'
    ? needs.terminals.open({ ...common, ...USUAL_SIZE })
    : needs.host.start({ ...common, hasInput, outputCapBytes })
}

/** The opening of a program that was found running: the same one it was started with. */
export async function openingOf(needs: Needs, request: ProgramStart): Promise<SpawnPlan['opening']> {
  const planned = await planSpawn(needs, request, needs.host.directoryOf(hostOf(request.session)))
  return planned.ok ? planned.value.opening : undefined
}

/** Prepares the session's directory with the agent's prompt and outbox. */
async function prepareDirectory(needs: Needs, { session, workplace, prompt }: ProgramStart): Promise<string> {
  const directory = await needs.host.prepare(hostOf(session))
  if (workplace.program.type === 'command') return directory
  await needs.disk.writeFile(promptFileIn(directory), prompt)
  await needs.disk.makeDirectory(outboxIn(directory))
  return directory
}
