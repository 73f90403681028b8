import { mkdtemp, readdir, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AgentSpec } from '../../src/domain/agent/agent-spec.ts'
import type { AgentEvent } from '../../src/domain/event/agent-event.ts'
import type { AgentProvider, LaunchRequest } from '../../src/ports/agent-provider.ts'
import { HOSTILE_LINES } from './hostile-lines.ts'
import { runPlan } from './run-plan.ts'

/** What one provider gives the suite to work with. */
export type AgentProviderFixtures = {
  /** A launch in the empty folder `directory` whose program ends well and answers `answer`. */
  readonly answering: (directory: string) => Promise<{
    readonly request: LaunchRequest
    readonly answer: unknown
  }>
  /** Agents that cannot be started as they are configured, with the field that is to blame. */
  readonly misconfigured: readonly { readonly agent: AgentSpec; readonly field: string }[]
}

const EVENT_LIMIT = 256 * 1024
const SLOW_MS = 5_000

const anyLine = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.uint8Array({ maxLength: 300 }).map((bytes) => new TextDecoder().decode(bytes)),
  fc.json({ maxDepth: 6 }),
  fc
    .record({
      type: fc.constantFrom('text', 'tool-call', 'tool-result', 'usage', 'result', 'other'),
      text: fc.anything(),
      name: fc.oneof(fc.string({ unit: 'binary' }), fc.anything()),
      input: fc.jsonValue(),
      inputTokens: fc.oneof(fc.nat(), fc.double()),
      outputTokens: fc.oneof(fc.nat(), fc.double()),
    })
    .map((event) => safeStringify(event)),
)

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

  it('plans a command that, really started, reports and answers', async () => {
    const { request, answer } = await fixtures.answering(where())
    const provider = create()
    const planned = await provider.plan(request)
    if (!planned.ok) throw new Error(JSON.stringify(planned.failure))
    const run = await runPlan(planned.value, request.treeDirectory)
    expect({ code: run.code, errorOutput: run.errorOutput }).toEqual({ code: 0, errorOutput: '' })
    const events = run.output
      .trimEnd()
      .split('\n')
      .flatMap((line) => provider.readLine(line))
    expect(events.map((event) => event.type)).toContain('text')
    expect(provider.findAnswer(run.output)).toEqual(answer)
  })
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

function expectStorable(event: AgentEvent): void {
  const text = JSON.stringify(event)
  const parsed: unknown = JSON.parse(text, (key, value: unknown) => {
    expectStorableText(key)
    if (typeof value === 'string') expectStorableText(value)
    return value
  })
  expect(parsed).toEqual(event)
  expect(text.length).toBeLessThan(EVENT_LIMIT)
}

function expectStorableText(text: string): void {
  if (text.includes('\0') || /\p{Surrogate}/u.test(text))
    throw new Error(`cannot be stored: ${JSON.stringify(text)}`)
}

function expectUnpolluted(): void {
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
}

/** Arbitrary values hold things JSON has no word for. */
function safeStringify(value: object): string {
  return JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner))
}
