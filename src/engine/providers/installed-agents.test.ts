import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type JobTrial, openJobTrial } from '../../../test/support/job-trial.ts'
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import { createClaudeCodeProvider } from '../../adapters/agents/claude-code/claude-code-provider.ts'
import { createCodexProvider } from '../../adapters/agents/codex/codex-provider.ts'
import { createCommandProvider } from '../../adapters/agents/command/command-provider.ts'
import type { AgentSpec } from '../../domain/agent/agent-spec.ts'
import { success } from '../../domain/result.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { Configuration } from '../../ports/configuration-source.ts'
import type { StartJobRequest } from '../jobs/job-commands.ts'
import { startJob } from '../jobs/start-job.ts'
import { listAgents } from '../queries/agents.ts'
import { createPersonalSession } from '../sessions/create/create-personal-session.ts'
import { AgentProviderRegistry } from './agent-provider-registry.ts'
import { installedAgents } from './installed-agents.ts'

let trial: JobTrial
let places: Awaited<ReturnType<typeof temporaryDirectory>>
beforeAll(async () => {
  trial = await openJobTrial()
  places = await temporaryDirectory('muster-installed')
})
afterAll(async () => {
  await trial[Symbol.asyncDispose]()
  await places[Symbol.asyncDispose]()
})

/** Programs that only answer what doctor asks. This Codex answers nothing, so its log-in is unknown. */
const PROGRAMS = {
  claude: `case "$1" in --version) echo "2.1.325 (Claude Code)";; *) echo '{"loggedIn":true}';; esac`,
  'claude without log-in': `case "$1" in --version) echo "2.1.325";; *) echo '{"loggedIn":false}';; esac`,
  codex: 'exit 1',
} as const

async function needsWith(...programs: readonly (keyof typeof PROGRAMS)[]): Promise<JobTrial['needs']> {
  const bin = join(places.path, programs.join('-').replaceAll(' ', '-') || 'none')
  await mkdir(bin, { recursive: true })
  for (const program of programs) {
    const file = join(bin, program.replace(' without log-in', ''))
    await writeFile(file, `#!/bin/sh\n${PROGRAMS[program]}\n`)
    await chmod(file, 0o755)
  }
  const providers = new AgentProviderRegistry(
    [createCommandProvider(), createClaudeCodeProvider(), createCodexProvider()],
    'claude-code',
  )
  const passedEnvironment = { PATH: `${bin}:/usr/bin:/bin`, HOME: bin }
  return { ...trial.needs, providers, settings: { ...trial.needs.settings, passedEnvironment } }
}

const mine = { name: 'mine', provider: 'command', command: ['sh'], roles: ['worker', 'planner'], env: [] }

async function planOf(
  needs: JobTrial['needs'],
  agents: readonly AgentSpec[],
  request: Partial<StartJobRequest> = {},
  roles: Configuration['roles'] = {},
) {
  trial.configuration = { ...trial.configuration, agents, roles }
  const goal = { repositoryPath: trial.repositoryPath, requestDocument: 'Grow', autoStart: false }
  const started = await startJob(needs, { ...goal, ...request })
  if (!started.ok) return started.failure
  const { worker, planner, reviewer } = started.value.plan
  return { worker, planner, reviewer, ...withoutUndefined({ passedOver: started.value.plan.passedOver }) }
}

it('plans if a person asks for it, unless the configuration names the planner or it may only work', async () => {
  const needs = await needsWith('claude', 'codex')
  const [codex, claude] = ['codex', 'claude']
  expect(await planOf(needs, [], { agent: codex })).toMatchObject({ worker: codex, planner: codex })
  const both = { agent: codex, planner: claude }
  expect(await planOf(needs, [], both)).toMatchObject({ worker: codex, planner: claude })
  const handy = { ...mine, name: 'handy', roles: ['worker'] }
  expect(await planOf(needs, [mine, handy], { agent: 'handy' })).toMatchObject({ planner: 'mine' })
  const bound = await planOf(needs, [mine], { agent: codex }, { planner: { agents: ['mine'] } })
  expect(bound).toMatchObject({ worker: codex, planner: 'mine' })
})

it('can be used by name even if the configuration lists only others', async () => {
  const needs = await needsWith('claude', 'codex')
  expect(await planOf(needs, [mine])).toMatchObject({ worker: 'mine', planner: 'mine' })
  expect(await planOf(needs, [mine], { agent: 'codex' })).toMatchObject({ worker: 'codex', planner: 'codex' })
  expect(await planOf(needs, [mine], { planner: 'claude' })).toMatchObject({ planner: 'claude' })
  expect(await planOf(needs, [mine], { agent: 'claude-code' })).toMatchObject({ worker: 'claude' })
  const session = await createPersonalSession(needs, {
    repositoryPath: trial.repositoryPath,
    agent: 'codex',
    mode: 'headless',
    prompt: 'hello',
  })
  expect(session).toMatchObject({ ok: true, value: { agentName: 'codex' } })
  const host = { trySandbox: async () => success('bubblewrap' as const) }
  const listed = await listAgents(
    { ...needs, host },
    { repositoryPath: trial.repositoryPath, withUsability: false },
  )
  expect(listed.ok && listed.value.agents.map(({ name }) => name)).toEqual(['mine', 'claude', 'codex'])
})

it('are named with the command that installs them if the person asks for one that is missing', async () => {
  const missing = {
    type: 'program-missing',
    agent: 'codex',
    program: 'codex',
    install: 'npm install -g @openai/codex',
  }
  const needs = await needsWith('claude')
  expect(await planOf(needs, [mine], { agent: 'codex' })).toEqual(missing)
  expect(await planOf(needs, [], { planner: 'codex' })).toEqual(missing)
  expect(await planOf(needs, [mine], { agent: 'nobody' })).toMatchObject({ type: 'agent-unknown' })
  const session = { repositoryPath: trial.repositoryPath, agent: 'codex', prompt: 'hello' }
  expect(await createPersonalSession(needs, { ...session, mode: 'headless' })).toEqual({
    ok: false,
    failure: missing,
  })
})

it('review in mode review without configuration, preferably another program than the one that worked', async () => {
  const review = { mode: 'review' } as const
  const both = await needsWith('claude', 'codex')
  expect(await planOf(both, [], review)).toEqual({ worker: 'claude', planner: 'claude', reviewer: 'codex' })
  const codex = { ...review, agent: 'codex' }
  expect(await planOf(both, [], codex)).toMatchObject({ worker: 'codex', reviewer: 'claude' })
  const one = await needsWith('codex')
  expect(await planOf(one, [], review)).toMatchObject({ worker: 'codex', reviewer: 'codex' })
  expect(await planOf(await needsWith(), [mine], review)).toMatchObject({ type: 'agent-absent' })
})

it('review in mode review if the configuration has them, rather than the program that worked', async () => {
  const review = { mode: 'review', planner: 'claude', agent: 'codex' } as const
  const usual = ['worker', 'planner']
  const claude = { ...mine, name: 'claude', provider: 'claude-code', command: ['claude'], roles: usual }
  const codex = {
    ...mine,
    name: 'codex',
    provider: 'codex',
    command: ['codex'],
    roles: [...usual, 'reviewer'],
  }
  const both = await needsWith('claude', 'codex')
  expect(await planOf(both, [claude, codex], review)).toMatchObject({ worker: 'codex', reviewer: 'claude' })
  const every = [{ ...claude, roles: codex.roles }, codex]
  expect(await planOf(both, every, { mode: 'review' })).toMatchObject({ worker: 'claude', reviewer: 'codex' })
  // Nobody chose the installed Claude Code for this repository.
  expect(await planOf(both, [codex], { mode: 'review' })).toMatchObject({ reviewer: 'codex' })
  const critic = { ...codex, name: 'critic', roles: ['reviewer'] }
  expect(await planOf(both, [claude, codex, critic], review)).toMatchObject({ reviewer: 'critic' })
  const loggedOut = await needsWith('claude without log-in', 'codex')
  const passedOver = [{ agent: 'claude', reason: 'Claude Code is not logged in' }]
  expect(await planOf(loggedOut, [claude, codex], { ...review, planner: 'codex' })).toMatchObject({
    reviewer: 'codex',
    passedOver,
  })
  const judge = { ...claude, roles: ['reviewer'] }
  expect(await planOf(loggedOut, [{ ...codex, roles: usual }, judge], { mode: 'review' })).toMatchObject({
    type: 'agent-unready',
    agent: 'claude',
  })
})

it('are passed over if they are not logged in, unless the person named them', async () => {
  const unready = {
    type: 'agent-unready',
    agent: 'claude',
    cause: 'login',
    reason: 'Claude Code is not logged in',
  }
  const both = await needsWith('claude without log-in', 'codex')
  const passedOver = [{ agent: 'claude', reason: unready.reason }]
  expect(await planOf(both, [])).toMatchObject({ worker: 'codex', planner: 'codex', passedOver })
  expect(await planOf(both, [], { agent: 'codex', planner: 'codex' })).not.toHaveProperty('passedOver')
  expect(await planOf(both, [], { mode: 'review' })).toMatchObject({ worker: 'codex', reviewer: 'codex' })
  expect(await planOf(both, [], { agent: 'claude' })).toMatchObject(unready)
  const configured = { ...mine, name: 'claude', provider: 'claude-code', command: ['claude'] }
  expect(await planOf(both, [configured])).toMatchObject(unready)
  expect(await planOf(await needsWith('claude without log-in'), [])).toMatchObject(unready)
})

it('take no role of a playbook if they are not logged in and another agent can take it', async () => {
  const both = await needsWith('claude without log-in', 'codex')
  const castOf = async (agents: readonly AgentSpec[], roles: Configuration['roles'] = {}) => {
    trial.configuration = { ...trial.configuration, agents, roles }
    const started = await startJob(both, {
      repositoryPath: trial.repositoryPath,
      requestDocument: 'Grow',
      autoStart: false,
      playbook: { name: 'solo', inputs: {} },
    })
    if (!started.ok) return started.failure
    return Object.values(started.value.plan.approach?.cast ?? {}).map((cast) => cast.map((one) => one.agent))
  }
  const claude = { ...mine, name: 'claude', provider: 'claude-code', command: ['claude'] }
  // As the first choice and as a substitute, installed or configured.
  expect(await castOf([])).toEqual([['codex']])
  expect(await castOf([mine])).toEqual([['mine']])
  expect(await castOf([claude])).toEqual([['codex']])
  expect(await castOf([mine, claude])).toEqual([['mine']])
  expect(await castOf([], { worker: { agents: ['claude', 'codex'] } })).toEqual([['codex']])
  expect(await castOf([], { worker: { agents: ['claude'] } })).toMatchObject({
    type: 'agent-unready',
    agent: 'claude',
  })
})

it('are also passed over for a personal session, which reports it', async () => {
  trial.configuration = { ...trial.configuration, agents: [], roles: {} }
  const both = await needsWith('claude without log-in', 'codex')
  const request = { repositoryPath: trial.repositoryPath, mode: 'headless', prompt: 'hello' } as const
  const passedOver = [{ agent: 'claude', reason: 'Claude Code is not logged in' }]
  expect(await createPersonalSession(both, request)).toMatchObject({
    value: { agentName: 'codex', purpose: { agent: { name: 'codex' }, passedOver } },
  })
  const named = await createPersonalSession(both, { ...request, agent: 'codex' })
  expect(named.ok && named.value.purpose).not.toHaveProperty('passedOver')
})

it('keeps its place if the configuration only adds settings to it, and gets them', async () => {
  const needs = await needsWith('claude', 'codex')
  const env = ['MODEL_KEY']
  const codex: AgentSpec = {
    name: 'codex',
    provider: 'codex',
    roles: ['worker', 'planner'],
    env,
    isReadyMade: true,
  }
  const plan = await planOf(needs, [codex])
  expect(plan).toMatchObject({ worker: 'claude', planner: 'claude' })
  const named = await planOf(needs, [codex], { agent: 'codex' })
  expect(named).toMatchObject({ worker: 'codex', planner: 'codex' })
  const place = { environments: {}, repositoryPath: trial.repositoryPath }
  const { isReadyMade: _, ...settled } = codex
  expect(await installedAgents(needs, [codex], place)).toMatchObject([{ name: 'claude' }, settled])
})

it('are not replaced by others if the request says so and only the environment of the daemon is in the way', async () => {
  const neverSkip = ['claude-code']
  const loggedOut = await needsWith('claude without log-in', 'codex')
  expect(await planOf(loggedOut, [])).toMatchObject({ worker: 'codex' })
  expect(await planOf(loggedOut, [], { neverSkip })).toMatchObject({ type: 'agent-unready', agent: 'claude' })
  const codexOnly = await needsWith('codex')
  expect(await planOf(codexOnly, [], { neverSkip })).toMatchObject({
    type: 'program-missing',
    program: 'claude',
  })
  // Another agent was chosen anyway, so nothing is replaced.
  expect(await planOf(loggedOut, [], { neverSkip, agent: 'codex', planner: 'codex' })).toMatchObject({
    worker: 'codex',
  })
  expect(await planOf(codexOnly, [mine], { neverSkip })).toMatchObject({ worker: 'mine' })
  expect(await planOf(await needsWith('claude'), [], { neverSkip: ['codex'] })).toMatchObject({
    worker: 'claude',
  })
  const session = {
    repositoryPath: trial.repositoryPath,
    mode: 'headless',
    prompt: 'hello',
    neverSkip,
  } as const
  expect(await createPersonalSession(codexOnly, session)).toMatchObject({
    ok: false,
    failure: { type: 'program-missing', program: 'claude' },
  })
})
