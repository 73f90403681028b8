import { failure, type Result, success } from '../../domain/result.ts'
import type { SandboxPolicy } from '../../domain/session/sandbox-policy.ts'
import type { Session } from '../../domain/session/session.ts'
import type { AgentProvider, LaunchPlan } from '../../ports/agent-provider.ts'
import type { Opening } from '../../ports/dialogue.ts'
import type { HostFailure, HostStarted } from '../../ports/session-host.ts'
import { describeFailure } from '../describe-failure.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { setupFor } from '../trees/setup-for.ts'
import { withSetup } from '../trees/with-setup.ts'
import { hostOf } from './host-of.ts'
import { programPlaces } from './program-places.ts'
import { homeDirectoriesOf, sandboxOf } from './sandbox-of.ts'
import { outboxIn, promptFileIn } from './session-environment.ts'
import type { Workplace } from './workplace.ts'

type Needs = Pick<
  EngineNeeds,
  'store' | 'trees' | 'host' | 'terminals' | 'disk' | 'providers' | 'crash' | 'settings'
>

/** Until somebody looks: a viewer brings its own. */
const USUAL_SIZE = { columns: 120, rows: 30 }

export type Life = {
  readonly session: Session
  readonly workplace: Workplace
  readonly prompt: string
  /** The conversation to go on with. */
  readonly resume?: string
  readonly mayBeginAnew?: boolean
}

/** What was started, and with what its conversation opens, where there is one. */
export type Launched = { readonly started: HostStarted; readonly opening?: Opening }

/**
 * Makes the working tree and starts the program in it. Run again after a death at any point it finds what the
 * first run left (tree, prompt, running program) and goes on from there.
 */
export async function launchLife(needs: Needs, life: Life): Promise<Result<Launched, string>> {
  const { session, workplace } = life
  const provider = needs.providers.get(workplace.agent.provider)
  if (provider === undefined) return failure(`there is no provider ${workplace.agent.provider}`)
  const [opened, sessionDirectory, setup] = await Promise.all([
    needs.trees.open(workplace.tree),
    writePrompt(needs, life),
    setupFor(needs, session),
  ])
  if (!opened.ok) return failure(`its working tree could not be made: ${describeFailure(opened.failure)}`)
  needs.crash.reach('attempt-start.after-tree')
  const launch = await planLaunch(needs, life, provider, sessionDirectory)
  if (!launch.ok) return launch
  const { plan, sandbox, opening } = launch.value
  for (const [path, text] of Object.entries(plan.files ?? {})) await needs.disk.writeFile(path, text)
  // What is not there cannot be shown to it: its first log-in or conversation would be lost with the sandbox.
  for (const path of homeDirectoriesOf(needs, provider)) await needs.disk.makeDirectory(path)
  for (const { from, to } of plan.copies ?? []) await needs.disk.copyIfAbsent(from, to)
  const command = withSetup(plan.command, setup, needs.settings.setupMs)
  const hasInput = provider.dialogue !== undefined
  const started = await start(needs, life, { plan: { ...plan, command }, sandbox, hasInput })
  if (!started.ok) return failure(describeFailure(started.failure))
  needs.crash.reach('attempt-start.after-spawn')
  return success({
    started: started.value,
    ...(provider.dialogue === undefined || session.mode !== 'headless' ? {} : { opening }),
  })
}

type Start = {
  readonly plan: LaunchPlan
  readonly sandbox: SandboxPolicy
  readonly hasInput: boolean
}

/** On a terminal for a person's eyes, else under a host whose spools are read. */
function start(
  needs: Needs,
  { session, workplace }: Life,
  { plan, sandbox, hasInput }: Start,
): Promise<Result<HostStarted, HostFailure>> {
  const { command, environment } = plan
  const common = { hostId: hostOf(session), command, environment, cwd: workplace.tree.directory, sandbox }
  return session.mode === 'interactive'
    ? needs.terminals.open({ ...common, ...USUAL_SIZE })
    : needs.host.start({ ...common, hasInput, outputCapBytes: needs.settings.outputCapBytes })
}

/** The opening of a program that was found running: the same that it was started for. */
export async function openingOf(needs: Needs, life: Life): Promise<Opening | undefined> {
  const provider = needs.providers.get(life.workplace.agent.provider)
  if (provider?.dialogue === undefined || life.session.mode !== 'headless') return undefined
  const planned = await planLaunch(needs, life, provider, needs.host.directoryOf(hostOf(life.session)))
  return planned.ok ? planned.value.opening : undefined
}

async function planLaunch(needs: Needs, life: Life, provider: AgentProvider, sessionDirectory: string) {
  const { session, workplace, prompt, resume } = life
  const { agent, tree } = workplace
  const environment = {
    ...workplace.environment(sessionDirectory),
    ...needs.settings.credentialsOf(provider.credentials),
  }
  const { PATH: searchPath = '' } = environment
  const reach = { sessionDirectory, searchPath, provider }
  const sandbox = sandboxOf(needs, workplace, reach)
  const held = await needs.host.containmentFor(sandbox)
  if (!held.ok) return failure(describeFailure(held.failure))
  const chosen = agent.permissions ?? 'auto'
  const unattended = held.value === 'bubblewrap' ? 'bypass' : 'ask'
  const permissions = chosen === 'auto' ? unattended : chosen
  const mcp = { url: `${needs.settings.daemonUrl()}/mcp`, token: needs.settings.tokenOf(session.id) }
  const plan = await provider.plan({
    agent,
    role: session.role,
    sessionDirectory,
    promptFile: promptFileIn(sessionDirectory),
    treeDirectory: tree.directory,
    environment,
    mode: session.mode,
    permissions,
    mcp,
    isEnclosed: held.value === 'bubblewrap',
    ...(resume === undefined ? {} : { resume }),
  })
  if (!plan.ok) return failure(describeFailure(plan.failure))
  const opening: Opening = {
    prompt,
    treeDirectory: tree.directory,
    permissions,
    mcp,
    ...(agent.model === undefined ? {} : { model: agent.model }),
    ...(resume === undefined ? {} : { resume }),
    ...(life.mayBeginAnew === true ? { mayBeginAnew: true } : {}),
  }
  const programs = await programPlaces(needs, plan.value)
  return success({ plan: plan.value, sandbox: sandboxOf(needs, workplace, { ...reach, programs }), opening })
}

/** Gives the session's directory, with the prompt in it. */
async function writePrompt(needs: Needs, life: Life): Promise<string> {
  const directory = await needs.host.prepare(hostOf(life.session))
  await needs.disk.writeFile(promptFileIn(directory), life.prompt)
  await needs.disk.makeDirectory(outboxIn(directory))
  return directory
}
