import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CLAUDE_CODE } from '../../src/adapters/agents/claude-code/claude-code-launch.ts'
import { CODEX } from '../../src/adapters/agents/codex/codex-launch.ts'
import { GEMINI } from '../../src/adapters/agents/gemini/gemini-launch.ts'
import { OPENCODE } from '../../src/adapters/agents/opencode/opencode-launch.ts'
import { commandProblem } from './command-problem.ts'
import { commandsIn, type DocumentedCommand, mentionsIn, userDocuments } from './documented-commands.ts'
import { openWorld, type World } from './documents-world.ts'
import { HTTP_PLANS } from './http-plans.ts'
import { JOB_PLANS } from './job-plans.ts'
import { NEWEST_PLANS } from './newest-plans.ts'
import { DECISION_PLANS, OPERATION_PLANS } from './operation-plans.ts'
import { nameOf } from './placeholders.ts'
import type { Plans } from './plans.ts'
import { PLAYBOOK_PLANS } from './playbook-plans.ts'
import { READING_PLANS } from './reading-plans.ts'
import { type Ran, runDocumented, type Scene } from './run-documented.ts'
import { SESSION_PLANS } from './session-plans.ts'

/** While no other request waits, and the home is small. */
const FIRST_PLANS: Plans = {
  'muster backup muster.tar': async ({ directory }) => ({ cwd: directory, shows: 'muster.tar' }),
  'muster approve': async ({ approval, directory }) => {
    await approval('one-request', 'one-request')
    return { cwd: directory, shows: 'may run: true' }
  },
}

/** They damage the audit log and stop the daemon. */
const LAST_PLANS: Plans = {
  'muster audit accept': async ({ changeAuditRow, directory }) => {
    await changeAuditRow()
    return { cwd: directory, shows: 'accepted' }
  },
  'kill -9 "$(...)"': async ({ directory }) => ({
    cwd: directory,
    followedBy: 'muster status',
    shows: 'home',
  }),
  'muster shutdown': async ({ directory }) => ({ cwd: directory }),
}

const CONCURRENT_PLANS: Plans = {
  ...JOB_PLANS,
  ...READING_PLANS,
  ...SESSION_PLANS,
  ...DECISION_PLANS,
  ...OPERATION_PLANS,
  ...HTTP_PLANS,
  ...PLAYBOOK_PLANS,
}

const PROGRAMS = [CLAUDE_CODE, CODEX, GEMINI, OPENCODE]
const ROOT = resolve(import.meta.dirname, '../..')
const { scripts, bin } = JSON.parse(readFileSync(resolve(ROOT, 'package.json'), 'utf8'))
const GATE = readFileSync(resolve(ROOT, '.ci/run'), 'utf8').split('\n')

/** Commands that install or test Muster or an agent program. This test only checks that they still mean something. */
function isKnownElsewhere(name: string): boolean {
  if (GATE.includes(name)) return true
  if (name === 'npm ci && npm start')
    return GATE.includes('npm ci') && scripts.start === 'node src/bin.ts demo'
  if (name === 'npm install -g .') return bin.muster !== undefined
  // Only the shells that they are for can run them; `completion.test.ts` does so with bash.
  if (name === 'muster completion fish | source' || name === 'eval "$(...)"') return true
  return PROGRAMS.some((program) => program.install === name || name.split(' ')[0] === program.name)
}

const documented = userDocuments().flatMap((document) => commandsIn(document))
const byName = new Map<string, DocumentedCommand>()
for (const command of documented.toReversed()) byName.set(nameOf(command.text), command)

const OUTPUT_SHOWN = 1_500

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

function runPlans(plans: Plans): void {
  for (const [name, plan] of Object.entries(plans)) {
    const command = byName.get(name)
    if (command === undefined) continue
    it(`${command.place} ${name}`, async () => {
      const scene = await plan(world)
      await expectScene(scene, await runDocumented(command, scene, world.environment))
    })
  }
}

async function expectScene(scene: Scene, { code, output }: Ran): Promise<void> {
  const log = output.includes('Internal error') ? await world.log() : ''
  // The end of a long output has the error.
  const shown = `exit code ${code}\n${output.slice(-OUTPUT_SHOWN)}${log.slice(-OUTPUT_SHOWN)}`
  const expected = [scene.shows, scene.interruptAt].filter((text) => text !== undefined)
  for (const text of expected) if (!output.includes(text)) expect(shown).toContain(text)
  const isStopped = scene.interruptAt !== undefined && scene.code === undefined
  if (!isStopped) expect(code, shown).toBe(scene.code ?? 0)
}

describe('a command that the README or a guide shows', () => {
  it('has a plan that runs it', () => {
    const planned = { ...FIRST_PLANS, ...CONCURRENT_PLANS, ...NEWEST_PLANS, ...LAST_PLANS }
    const unplanned = [...byName]
      .filter(([name]) => !(name in planned) && !isKnownElsewhere(name))
      .map(([name, { place }]) => `${place}: ${name}`)
    expect(unplanned, 'add each to one of the plans next to this test').toEqual([])
    const unused = Object.keys(planned).filter((name) => !byName.has(name))
    expect(unused, 'no document shows these any more').toEqual([])
  })

  it('is a command with flags that exist, wherever a sentence mentions it', () => {
    const mentions = userDocuments().flatMap((document) => mentionsIn(document))
    const problems = mentions.flatMap(({ place, text }) => {
      const problem = commandProblem(text)
      return problem === undefined ? [] : [`${place}: ${text}: ${problem}`]
    })
    expect(problems).toEqual([])
  })

  describe('works, first of all,', () => runPlans(FIRST_PLANS))
  describe.concurrent('works', () => runPlans(CONCURRENT_PLANS))
  describe.concurrent('works on the newest job', () => runPlans(NEWEST_PLANS))
  describe('works in the end', () => {
    beforeAll(() => world.endEverything())
    runPlans(LAST_PLANS)
  })
})
