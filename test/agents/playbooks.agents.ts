import { afterAll, beforeAll, expect, it } from 'vitest'
import { auditLandings } from '../support/audit-landings.ts'
import { processesWith } from '../support/processes.ts'
import { take } from '../support/take.ts'
import { type TestDaemon, testHome } from '../support/test-daemon.ts'
import { type TestRepository, testRepository } from '../support/test-repository.ts'
import type { AgentProgram } from './agent-program.ts'
import { openPerson } from './person.ts'
import { playStages } from './playbook-stages.ts'
import { type PlayedPlaybook, playPlaybook } from './played-playbook.ts'
import { claudeCode } from './programs/claude-code.ts'
import { codex } from './programs/codex.ts'
import { gemini } from './programs/gemini.ts'
import { opencode } from './programs/opencode.ts'

const PROGRAMS: Readonly<Record<string, AgentProgram>> = { claude: claudeCode, codex, gemini, opencode }

const ROLES = {
  planner: { agents: ['claude', 'gemini'] },
  worker: { agents: ['claude', 'opencode'] },
  reviewer: { agents: ['codex'] },
}

const stack = new AsyncDisposableStack()
let daemon: TestDaemon
let repository: TestRepository

beforeAll(async () => {
  const person = stack.use(await openPerson(...Object.values(PROGRAMS)))
  playStages(person.model)
  const home = stack.use(await testHome())
  daemon = await home.start({
    ...person.home.environment,
    XDG_CONFIG_HOME: `${person.home.path}/.config`,
    MUSTER_SANDBOX: 'auto',
  })
  repository = stack.use(await testRepository(project(person.model.url)))
})
afterAll(() => stack.disposeAsync())

function project(modelUrl: string): Readonly<Record<string, string>> {
  const agents = Object.entries(PROGRAMS).map(([name, program]) => [
    name,
    {
      provider: program.createProvider().providerId,
      roles: [],
      env: program.environment(modelUrl),
      permissions: 'bypass',
      ...(program.model === undefined ? {} : { model: program.model }),
    },
  ])
  const settings = { agents: Object.fromEntries(agents), roles: ROLES, checks: ['grep -q Example README.md'] }
  return {
    'README.md': '# Example\n',
    'muster.yaml': JSON.stringify({ ...settings, taskList: 'none' }),
  }
}

async function play(
  name: string,
  inputs: Readonly<Record<string, number>> = {},
  levels: readonly string[] = ['full'],
): Promise<PlayedPlaybook> {
  const played = await playPlaybook(daemon.client, repository, { name, inputs })
  expect(played.job).toMatchObject({ status: 'completed', reason: 'task-completed' })
  expect(levels).toContain(played.run.degradation?.level)
  for (const id of played.sessionIds) expect(await processesWith(id, [daemon.pid])).toEqual([])
  return played
}

/** Requires that exactly this commit of the run was checked, and that exactly its tree landed. */
async function expectLanded({ job, run }: PlayedPlaybook, commit: string | undefined): Promise<void> {
  expect(run.end).toBe('land')
  expect(await auditLandings(daemon.client, repository, job)).toHaveLength(1)
  const { items } = take(await daemon.client.listLandings({ job: job.id }))
  expect(items.map(({ tip }) => tip)).toEqual([commit])
  const [checked, landed] = [`${commit}^{tree}`, `${job.workingBranch}^{tree}`]
  expect(await repository.git('rev-parse', checked)).toBe(await repository.git('rev-parse', landed))
}

// The runs don't depend on each other, so they share the daemon and run at the same time.

it.concurrent('development lands what Codex reviewed and Claude Code revised in one conversation', async () => {
  const played = await play('development')
  expect(played.visits).toEqual([
    'criteria: done (claude)',
    'route: 1',
    'architecture: done (claude)',
    'design_review: APPROVED (codex)',
    'design_gate: skipped',
    'implementation: done (claude)',
    'check: pass',
    'code_review: NEEDS_REVISION (codex)',
    'code_revision: done (claude)',
    'check: pass',
    'code_review: APPROVED (codex)',
    'result_gate: skipped',
    'documentation: done (claude)',
    'final_check: pass',
  ])
  expect(played.thread).toEqual([
    'engine -> role:architect: task, development: criteria',
    'architect -> role:architect: design, criteria: done',
    'architect -> role:reviewer: design, architecture: done',
    'reviewer -> role:developer: review, design_review: APPROVED',
    'developer -> engine: artifact, implementation: done',
    'engine -> role:reviewer: result, check: pass',
    'reviewer -> role:developer: review, code_review: NEEDS_REVISION',
    'developer -> engine: artifact, code_revision: done',
    'engine -> role:reviewer: result, check (round 2): pass',
    'reviewer -> role:developer: review, code_review (round 2): APPROVED',
    'developer -> engine: artifact, documentation: done',
    'engine -> engine: result, final_check: pass',
  ])
  await expectLanded(played, played.run.visits.at(-1)?.commit)
  const { workingBranch } = played.job
  expect(await repository.git('show', `${workingBranch}:greeting.txt`)).toBe('greeting.')
  expect(await repository.git('show', `${workingBranch}:README.md`)).toBe('# Example\nIt greets.')
  expect(played.run.documents.map(({ name }) => name)).toEqual(['criteria', 'architecture', 'code_review'])
})

it.concurrent('research ends with its report after an answer that had to be asked for again', async () => {
  const { run, visits, thread } = await play('research')
  expect(visits).toEqual([
    'questions: done (claude)',
    'initial_research: done (claude)',
    'initial_research: done (gemini)',
    'verification: APPROVED (codex)',
    'synthesis: done (claude)',
    'citations: APPROVED (codex)',
    'completeness: 0',
  ])
  expect(thread).toEqual([
    'engine -> role:researcher: task, research: questions',
    'researcher -> role:researcher: task, questions: done',
    'researcher -> role:reviewer: finding, initial_research #1: done',
    'researcher -> role:reviewer: finding, initial_research #2: done',
    'reviewer -> role:researcher: review, verification: APPROVED',
    'researcher -> role:reviewer: result, synthesis: done',
    'reviewer -> engine: review, citations: APPROVED',
  ])
  expect(run.errors).toMatchObject([
    { code: 'AGENT_INVALID_OUTPUT', stage: 'citations', action: 'ask-again', recovered: true },
  ])
  expect(run).toMatchObject({
    end: 'done',
    documents: [
      { name: 'synthesis', text: '# The project\n\nIt is an example (README.md:1).' },
      { name: 'citations' },
    ],
  })
})

it.concurrent('architecture ends with the plan for one of the proposals of two programs', async () => {
  const { run, visits, thread } = await play('architecture', { options: 2 })
  expect(visits).toEqual([
    'requirements: done (claude)',
    'prior_art: done (claude)',
    'design_options: done (claude)',
    'design_options: done (gemini)',
    'evaluation: APPROVED (codex)',
    'decision: done (codex)',
    'decision_gate: skipped',
    'implementation_plan: done (claude)',
  ])
  expect(thread).toEqual([
    'engine -> role:architect: task, architecture: requirements',
    'architect -> role:researcher: design, requirements: done',
    'researcher -> role:architect: finding, prior_art: done',
    'architect -> role:reviewer: design, design_options #1: done',
    'architect -> role:reviewer: design, design_options #2: done',
    'reviewer -> role:reviewer: review, evaluation: APPROVED',
    'reviewer -> role:architect: review, decision: done',
    'architect -> engine: result, implementation_plan: done',
  ])
  expect(run).toMatchObject({
    end: 'done',
    documents: [
      { name: 'requirements' },
      { name: 'decision', text: expect.stringContaining('Choice: 2') },
      { name: 'implementation_plan', text: '# The plan\n\n1. Write the file.' },
    ],
  })
})

it.concurrent('best-of lands the try that Codex picked from those of Claude Code and OpenCode', async () => {
  // Nobody knows the family of OpenCode's model, so it depends on who wins whether the judge is of another one.
  const played = await play('best-of', { n: 2 }, ['full', 'reduced'])
  expect(played.visits).toEqual([
    'try: done (claude)',
    'try: done (opencode)',
    'verify: pass',
    'verify: pass',
    'pick: done (codex)',
  ])
  expect(played.thread).toEqual([
    'engine -> role:candidate: task, best-of: try',
    'candidate -> engine: artifact, try #1: done',
    'candidate -> engine: artifact, try #2: done',
    'engine -> role:judge: result, verify #1: pass',
    'engine -> role:judge: result, verify #2: pass',
    'judge -> engine: review, pick: done',
  ])
  // The judge sees the candidates in a random order, so its number names either.
  const landed = await repository.git('show', `${played.job.workingBranch}:greeting.txt`)
  const tries = played.run.visits.filter(({ stage }) => stage === 'try')
  const picked = tries.find(({ branch }) => landed === `try ${branch}`)
  await expectLanded(played, picked?.commit)
})
