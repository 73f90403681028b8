import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AgentSpec } from '../../src/domain/agent/agent-spec.ts'
import type { AgentEvent } from '../../src/domain/event/agent-event.ts'
import type { AgentProvider, LaunchPlan, LaunchRequest } from '../../src/ports/agent-provider.ts'
import { converse } from '../support/converse.ts'
import { anyLine } from './garbage.ts'
import { HOSTILE_LINES } from './hostile-lines.ts'
import { runPlan } from './run-plan.ts'
import { expectStorable, expectUnpolluted } from './storable.ts'

/** What one provider gives the suite to work with. */
export type AgentProviderFixtures = {
  /**
   * A launch in the empty folder `directory` whose program ends well and answers `answer`. A provider with a
   * dialogue gives a stand-in for its program, with a conversation of a single message.
   */
  readonly answering: (directory: string) => Promise<{
    readonly request: LaunchRequest
    readonly answer: unknown
  }>
  /** Agents that cannot be started as they are configured, with the field that is to blame. */
  readonly misconfigured: readonly { readonly agent: AgentSpec; readonly field: string }[]
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

    it('has an id that configuration can name', () => {
      expect(create().providerId).toMatch(/^[a-z0-9][a-z0-9-]*$/)
    })

    it('says whether its program is here', async () => {
      const availability = await create().availability()
      const told = availability.type === 'available' ? availability.version : availability.install
      expect(told).not.toBe('')
    })

    it('names credentials as variables and its own places as paths below a home', () => {
      const { credentials, homePaths } = create()
      for (const variable of credentials) expect(variable).toMatch(/^[A-Z][A-Z0-9_]*$/)
      for (const place of homePaths) {
        expect(path.isAbsolute(place)).toBe(false)
        expect(path.normalize(place).split(path.sep)).not.toContain('..')
      }
    })

    it('tells models with distinct ids, at most one of them the default', async () => {
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
  it('plans without starting or leaving anything, and the same each time', async () => {
    const { request } = await fixtures.answering(where())
    const before = await readdir(request.treeDirectory, { recursive: true })
    const first = await create().plan(request)
    const second = await create().plan(request)
    expect(first).toEqual(second)
    expect(first.ok).toBe(true)
    expect(await readdir(request.treeDirectory, { recursive: true })).toEqual(before)
  })

  it('plans a program by its full path, so that no later look-up can find another', async () => {
    const { request } = await fixtures.answering(where())
    const planned = await create().plan(request)
    expect(planned.ok && path.isAbsolute(planned.value.command[0])).toBe(true)
  })

  it("hands on the attempt's environment and lets no agent replace a MUSTER_ variable", async () => {
    const { request } = await fixtures.answering(where())
    const env = { ...request.agent.env, MUSTER_ROLE: 'forged', MUSTER_NEW: 'forged', COLOUR: 'green' }
    const planned = await create().plan({
      ...request,
      agent: { ...request.agent, env },
      environment: { ...request.environment, COLOUR: 'red' },
    })
    if (!planned.ok) throw new Error(JSON.stringify(planned.failure))
    const { COLOUR, MUSTER_NEW, ...rest } = planned.value.environment
    expect(rest).toMatchObject(request.environment)
    expect(COLOUR).toBe('green')
    expect(MUSTER_NEW).toBeUndefined()
  })

  it('adds nothing of our own environment', async () => {
    const { request } = await fixtures.answering(where())
    vi.stubEnv('MUSTER_SUITE_SECRET', 'secret')
    const planned = await create().plan(request)
    vi.unstubAllEnvs()
    expect(planned.ok).toBe(true)
    expect(JSON.stringify(planned)).not.toContain('MUSTER_SUITE_SECRET')
  })

  it.each(fixtures.misconfigured)('blames $field when it is wrong', async ({ agent, field }) => {
    const { request } = await fixtures.answering(where())
    const planned = await create().plan({ ...request, agent })
    expect(planned).toMatchObject({ ok: false, failure: { type: 'agent-misconfigured', field } })
  })

  it('answers with a failure, and never throws, whatever an agent is configured with', async () => {
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

  it('plans an interactive start, or says that it cannot', async () => {
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
    'keeps the token out of the command line when %s',
    async (mode) => {
      const { request } = await fixtures.answering(where())
      const mcp = { url: 'http://127.0.0.1:1/mcp', token: 'a-secret-of-the-session' }
      const planned = await create().plan({ ...request, mode, mcp, resume: 'an-earlier-one' })
      if (planned.ok) expect(planned.value.command.join(' ')).not.toContain(mcp.token)
      else expect(planned.failure.type).toBe('mode-unsupported')
    },
  )

  it("plans files in the session's own directory alone", async () => {
    const { request } = await fixtures.answering(where())
    const mcp = { url: 'http://127.0.0.1:1/mcp', token: 'a-secret-of-the-session' }
    for (const mode of ['headless', 'interactive'] as const) {
      const planned = await create().plan({ ...request, mode, mcp })
      for (const file of Object.keys(planned.ok ? (planned.value.files ?? {}) : {})) {
        expect(path.normalize(file).startsWith(`${request.sessionDirectory}${path.sep}`)).toBe(true)
      }
    }
  })

  it('plans a command that, really started, reports and answers', async () => {
    const { request, answer } = await fixtures.answering(where())
    const provider = create()
    const planned = await provider.plan(request)
    if (!planned.ok) throw new Error(JSON.stringify(planned.failure))
    const told = await (provider.dialogue === undefined ? listen : talk)(provider, planned.value, request)
    expect({ code: told.code, errorOutput: told.errorOutput }).toEqual({ code: 0, errorOutput: '' })
    expect(told.events.map((event) => event.type)).toContain('text')
    expect(provider.findAnswer(told.answerText)).toEqual(answer)
  })
}

type Told = {
  readonly code: number | null
  readonly errorOutput: string
  readonly events: readonly AgentEvent[]
  readonly answerText: string
}

async function listen(provider: AgentProvider, plan: LaunchPlan, request: LaunchRequest): Promise<Told> {
  const run = await runPlan(plan, request.treeDirectory)
  const lines = run.output.trimEnd().split('\n')
  return { ...run, events: lines.flatMap((line) => provider.readLine(line)), answerText: run.output }
}

async function talk(provider: AgentProvider, plan: LaunchPlan, request: LaunchRequest): Promise<Told> {
  const { dialogue } = provider
  if (dialogue === undefined) throw new Error('it has no dialogue')
  const { treeDirectory, permissions } = request
  for (const [file, text] of Object.entries(plan.files ?? {})) await writeFile(file, text)
  const opening = { prompt: 'do it', treeDirectory, permissions }
  const talked = await converse({ plan, cwd: treeDirectory, dialogue, opening })
  const ends = talked.events.filter((event) => event.type === 'turn-end')
  expect(ends).toMatchObject([{ outcome: { type: 'done' } }])
  const [end] = ends
  return { ...talked, answerText: end?.outcome.type === 'done' ? end.outcome.text : '' }
}

function describeLines(create: () => AgentProvider): void {
  it('turns any line into events that can be stored, the same each time', () => {
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
  it('looks for an answer in any output without throwing, and finds the same each time', () => {
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

  it.each(Object.keys(HOSTILE_LINES))('looks for an answer in time among %s', (kind) => {
    const provider = create()
    const line = HOSTILE_LINES[kind] ?? ''
    const started = performance.now()
    provider.findAnswer(line.repeat(Math.max(1, Math.floor(2_000_000 / Math.max(1, line.length)))))
    provider.findAnswer(Array(20).fill(line).join('\n'))
    expect(performance.now() - started).toBeLessThan(SLOW_MS)
    expectUnpolluted()
  })

  it('finds no answer where there is none', () => {
    const provider = create()
    expect(provider.findAnswer('')).toBeUndefined()
    expect(provider.findAnswer('all done\n')).toBeUndefined()
  })
}
