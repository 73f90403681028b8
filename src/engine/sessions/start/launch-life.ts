import { failure, type Result, success } from '../../../domain/result.ts'
import type { HostFailure, HostStarted } from '../../../ports/session-host.ts'
import { describeFailure } from '../../describe-failure.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import { withSetup } from '../../trees/with-setup.ts'
import { hostOf } from '../host-of.ts'
import { type Launch, type Life, planLaunch } from './plan-launch.ts'
import { outboxIn, promptFileIn } from './session-environment.ts'

type Needs = Pick<
  EngineNeeds,
  'store' | 'trees' | 'host' | 'terminals' | 'disk' | 'providers' | 'crash' | 'settings'
>

/** Until somebody looks: a viewer brings its own. */
const USUAL_SIZE = { columns: 120, rows: 30 }

/** What was started, and how its conversation opens, where it has one. */
export type Launched = { readonly started: HostStarted } & Pick<Launch, 'opening'>

/**
 * Makes the working tree and starts the program in it. Run again after a death at any point it finds what the
 * first run left (tree, prompt) and continues from there.
 */
export async function launchLife(needs: Needs, life: Life): Promise<Result<Launched, string>> {
  const { workplace } = life
  if (workplace.isFresh === true) await needs.trees.remove(workplace.tree.directory)
  const [opened, sessionDirectory] = await Promise.all([
    needs.trees.open(workplace.tree),
    prepareDirectory(needs, life),
  ])
  if (!opened.ok) return failure(`its working tree could not be made: ${describeFailure(opened.failure)}`)
  needs.crash.reach('attempt-start.after-tree')
  const launch = await planLaunch(needs, life, sessionDirectory)
  if (!launch.ok) return launch
  const { plan, homeDirectories, opening } = launch.value
  for (const [path, text] of Object.entries(plan.files ?? {})) await needs.disk.writeFile(path, text)
  // What is not there cannot be shown to it: its first log-in or conversation would be lost with the sandbox.
  for (const path of homeDirectories) await needs.disk.makeDirectory(path)
  for (const { from, to } of plan.copies ?? []) await needs.disk.copyIfAbsent(from, to)
  const started = await start(needs, life, launch.value)
  if (!started.ok) return failure(describeFailure(started.failure))
  needs.crash.reach('attempt-start.after-spawn')
  return success({ started: started.value, ...(opening === undefined ? {} : { opening }) })
}

/** On a terminal for a person's eyes, else under a host whose spools are read. */
function start(
  needs: Needs,
  { session, workplace }: Life,
  { plan, sandbox, hasInput }: Launch,
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

/** The opening of a program that was found running: the same that it was started for. */
export async function openingOf(needs: Needs, life: Life): Promise<Launch['opening']> {
  const planned = await planLaunch(needs, life, needs.host.directoryOf(hostOf(life.session)))
  return planned.ok ? planned.value.opening : undefined
}

/** Gives the session's directory, with the prompt of an agent and its outbox in it. */
async function prepareDirectory(needs: Needs, { session, workplace, prompt }: Life): Promise<string> {
  const directory = await needs.host.prepare(hostOf(session))
  if (workplace.program.type === 'command') return directory
  await needs.disk.writeFile(promptFileIn(directory), prompt)
  await needs.disk.makeDirectory(outboxIn(directory))
  return directory
}
