import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AgentEvent } from '../../src/domain/event/agent-event.ts'
import type {
  AgentProvider,
  LaunchedAgent,
  LaunchPlan,
  LaunchRequest,
} from '../../src/ports/agent-provider.ts'
import { converse } from '../support/converse.ts'
import { anyLine } from './garbage.ts'
import { HOSTILE_LINES } from './hostile-lines.ts'
import { requireDialogue, requirePlan } from './provider-fixtures.ts'
import { runPlan } from './run-plan.ts'
import { expectStorable, expectUnpolluted } from './storable.ts'

/** What the suite needs from one provider. */
export type AgentProviderFixtures = {
  /**
   * A launch in the empty folder `directory` whose program succeeds and answers `answer`. A provider with a dialogue
   * uses a stand-in for its program, which holds a conversation of one message.
   */
  readonly answering: (directory: string) => Promise<{
    readonly request: LaunchRequest
    readonly answer: unknown
  }>
  /** Agents that can't start because of how they are configured, with the invalid field. */
  readonly misconfigured: readonly { readonly agent: LaunchedAgent; readonly field: string }[]
}

const SLOW_MS = 5_000

/** Every provider runs this suite; passing it is the definition of an AgentProvider. */
export function describeAgentProvider(
  name: string,
  create: () => AgentProvider,
  fixtures: AgentProviderFixtures,
): void {
  describe(`${name} as an AgentProvider`, () => {
    let directory: string
    beforeEach(async () => {
      directory = await mkdtemp(path.join(os.tmpdir(), 'muster-provider-'))
    })
    afterEach(() => rm(directory, { recursive: true, force: true }))

    it('has an id that a configuration file can name', () => {
      expect(create().providerId).toMatch(/^[a-z0-9][a-z0-9-]*$/)
    })

    it('reports whether its program is installed', async () => {
      const availability = await create().availability()
      const reported = availability.type === 'available' ? availability.version : availability.install
      expect(reported).not.toBe('')
    })

    it('names its credentials as variables, and its files as paths inside a home', () => {
      const { credentials, homePaths } = create()
      for (const variable of credentials) expect(variable).toMatch(/^[A-Z][A-Z0-9_]*$/)
      for (const place of homePaths) {
        expect(path.isAbsolute(place)).toBe(false)
        expect(path.normalize(place).split(path.sep)).not.toContain('..')
      }
    })

    it('lists models with distinct ids, at most one of them the default', async () => {
      const models = await create().models()
      const ids = models.map((model) => model.id)
      expect(new Set(ids).size).toBe(ids.length)
      expect(ids).not.toContain('')
      expect(models.filter((model) => model.isDefault).length).toBeLessThanOrEqual(1)
    })

    describePlan(create, fixtures, () => directory)
    describeLines(create)
    describeAnswers(create)
  })
}

function describePlan(
  create: () => AgentProvider,
  fixtures: AgentProviderFixtures,
  where: () => string,
): void {
  it('makes the same plan every time, without starting or leaving anything', async () => {
    const { request } = await fixtures.answering(where())
    const before = await readdir(request.treeDirectory, { recursive: true })
    const first = await create().plan(request)
    const second = await create().plan(request)
    expect(first).toEqual(second)
    expect(first.ok).toBe(true)
    expect(await readdir(request.treeDirectory, { recursive: true })).toEqual(before)
  })

  it('plans the full path of its program, so that no later lookup can find another one', async () => {
    const { request } = await fixtures.answering(where())
    const planned = await create().plan(request)
    expect(planned.ok && path.isAbsolute(planned.value.command[0])).toBe(true)
  })

  it("passes on the attempt's environment, in which no agent can replace a MUSTER_ variable", async () => {
    const { request } = await fixtures.answering(where())
    const env = { ...request.agent.env, MUSTER_ROLE: 'forged', MUSTER_NEW: 'forged', COLOUR: 'green' }
    const planned = await requirePlan(create(), {
      ...request,
      agent: { ...request.agent, env },
      environment: { ...request.environment, COLOUR: 'red' },
    })
    const { COLOUR, MUSTER_NEW, ...rest } = planned.environment
    expect(rest).toMatchObject(request.environment)
    expect(COLOUR).toBe('green')
    expect(MUSTER_NEW).toBeUndefined()
  })

  it("adds nothing from the daemon's own environment", async () => {
    const { request } = await fixtures.answering(where())
    vi.stubEnv('MUSTER_SUITE_SECRET', 'secret')
    const planned = await create().plan(request)
    vi.unstubAllEnvs()
    expect(planned.ok).toBe(true)
    expect(JSON.stringify(planned)).not.toContain('MUSTER_SUITE_SECRET')
  })

  it.each(fixtures.misconfigured)('names $field if it is misconfigured', async ({ agent, field }) => {
    const { request } = await fixtures.answering(where())
    const planned = await create().plan({ ...request, agent })
    expect(planned).toMatchObject({ ok: false, failure: { type: 'agent-misconfigured', field } })
  })

  it('never throws, even for a random agent configuration', async () => {
    const { request } = await fixtures.answering(where())
    const text = fc.string({ unit: 'binary', maxLength: 20 })
    const anyAgent = fc.record(
      {
        name: text,
        provider: text,
        roles: fc.array(text, { maxLength: 2 }),
        env: fc.dictionary(text, text, { maxKeys: 3 }),
        command: fc.array(text, { maxLength: 3 }),
        script: text,
      },
      { requiredKeys: ['name', 'provider', 'roles', 'env'] },
    )
    await fc.assert(
      fc.asyncProperty(anyAgent, async (agent) => {
        const planned = await create().plan({ ...request, agent })
        expect(typeof planned.ok).toBe('boolean')
      }),
      { numRuns: 100 },
    )
  })

  it('plans an interactive start or reports that it has none', async () => {
    const { request } = await fixtures.answering(where())
    const planned = await create().plan({ ...request, mode: 'interactive' })
    if (!planned.ok) {
      expect(planned.failure).toEqual({
        type: 'mode-unsupported',
        mode: 'interactive',
        provider: create().providerId,
      })
      return
    }
    expect(path.isAbsolute(planned.value.command[0])).toBe(true)
    expect(planned.value.environment).toMatchObject(request.environment)
  })

  it.each(['headless', 'interactive'] as const)(
    'keeps the token out of the command line of a %s start',
    async (mode) => {
      const { request } = await fixtures.answering(where())
      const mcp = { url: 'http://127.0.0.1:1/mcp', token: 'a-secret-of-the-session' }
      const planned = await create().plan({ ...request, mode, mcp, resume: 'an-earlier-one' })
      if (planned.ok) expect(planned.value.command.join(' ')).not.toContain(mcp.token)
      else expect(planned.failure.type).toBe('mode-unsupported')
    },
  )

  it("plans files only in the session's own directory", async () => {
    const { request } = await fixtures.answering(where())
    const mcp = { url: 'http://127.0.0.1:1/mcp', token: 'a-secret-of-the-session' }
    for (const mode of ['headless', 'interactive'] as const) {
      const planned = await create().plan({ ...request, mode, mcp })
      for (const file of Object.keys(planned.ok ? (planned.value.files ?? {}) : {})) {
        expect(path.normalize(file).startsWith(`${request.sessionDirectory}${path.sep}`)).toBe(true)
      }
    }
  })

  it('plans a command that runs, reports and answers', async () => {
    const { request, answer } = await fixtures.answering(where())
    const provider = create()
    const plan = await requirePlan(provider, request)
    const run = provider.dialogue === undefined ? runToEnd : converseOnce
    const reported = await run(provider, plan, request)
    expect({ code: reported.code, errorOutput: reported.errorOutput }).toEqual({ code: 0, errorOutput: '' })
    expect(reported.events.map((event) => event.type)).toContain('text')
    expect(provider.findAnswer(reported.answerText)).toEqual(answer)
  })
}

type Reported = {
  readonly code: number | null
  readonly errorOutput: string
  readonly events: readonly AgentEvent[]
  readonly answerText: string
}

async function runToEnd(
  provider: AgentProvider,
  plan: LaunchPlan,
  request: LaunchRequest,
): Promise<Reported> {
  const run = await runPlan(plan, request.treeDirectory)
  const lines = run.output.trimEnd().split('\n')
  return { ...run, events: lines.flatMap((line) => provider.readLine(line)), answerText: run.output }
}

async function converseOnce(
  provider: AgentProvider,
  plan: LaunchPlan,
  request: LaunchRequest,
): Promise<Reported> {
  const dialogue = requireDialogue(provider)
  const { treeDirectory, permissions } = request
  for (const [file, text] of Object.entries(plan.files ?? {})) await writeFile(file, text)
  const opening = { prompt: 'do it', treeDirectory, permissions }
  const conversation = await converse({ plan, cwd: treeDirectory, dialogue, opening })
  const ends = conversation.events.filter((event) => event.type === 'turn-end')
  expect(ends).toMatchObject([{ outcome: { type: 'done' } }])
  const [end] = ends
  return { ...conversation, answerText: end?.outcome.type === 'done' ? end.outcome.text : '' }
}

function describeLines(create: () => AgentProvider): void {
  it('turns any line into the same storable events every time', () => {
    const provider = create()
    fc.assert(
      fc.property(anyLine, anyLine, (line, another) => {
        const events = provider.readLine(line)
        provider.readLine(another)
        expect(provider.readLine(line)).toEqual(events)
        events.forEach(expectStorable)
      }),
      { numRuns: 2_000 },
    )
  })

  it.each(Object.keys(HOSTILE_LINES))('survives a line of %s', (kind) => {
    const provider = create()
    const started = performance.now()
    const events = provider.readLine(HOSTILE_LINES[kind] ?? '')
    events.forEach(expectStorable)
    expect(performance.now() - started).toBeLessThan(SLOW_MS)
    expectUnpolluted()
  })
}

function describeAnswers(create: () => AgentProvider): void {
  it('finds the same answer in any output every time, and never throws', () => {
    const provider = create()
    fc.assert(
      fc.property(
        fc.array(anyLine, { maxLength: 8 }),
        fc.constantFrom('\n', '\r\n', ''),
        (lines, lineEnd) => {
          const output = lines.join(lineEnd)
          expect(provider.findAnswer(output)).toEqual(provider.findAnswer(output))
        },
      ),
      { numRuns: 1_000 },
    )
  })

  it.each(Object.keys(HOSTILE_LINES))('searches %s for an answer without hanging', (kind) => {
    const provider = create()
    const line = HOSTILE_LINES[kind] ?? ''
    const started = performance.now()
    provider.findAnswer(line.repeat(Math.max(1, Math.floor(2_000_000 / Math.max(1, line.length)))))
    provider.findAnswer(Array(20).fill(line).join('\n'))
    expect(performance.now() - started).toBeLessThan(SLOW_MS)
    expectUnpolluted()
  })

  it('finds no answer in output without one', () => {
    const provider = create()
    expect(provider.findAnswer('')).toBeUndefined()
    expect(provider.findAnswer('all done\n')).toBeUndefined()
  })
}
