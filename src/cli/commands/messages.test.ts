import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import type { WireMessage } from '../../contract/message.ts'
import { createCommandTrial } from '../testing/command-trial.ts'
import { SAMPLE_RUN_ID, samplePlaybook, sampleRun } from '../testing/sample-run.ts'
import {
  SAMPLE_AT,
  SAMPLE_JOB_ID,
  SAMPLE_SESSION_ID,
  sampleJob,
  sampleNames,
  sampleSession,
} from '../testing/sample-wire.ts'

const trial = createCommandTrial(temporaryDirectory)

const MESSAGE_ID = 'msg_0123456789abcdefghij'
const AGENTS = sampleJob({
  agents: [{ name: 'ada', provider: 'scripted', roles: [], environmentNames: [] }],
})

function message(rest: Partial<WireMessage> = {}): WireMessage {
  return {
    id: MESSAGE_ID,
    from: 'engine',
    to: 'role:developer',
    kind: 'output',
    type: 'task',
    priority: 'normal',
    threadId: SAMPLE_RUN_ID,
    subject: '',
    body: 'Add it',
    metadata: {},
    requiresResponse: false,
    status: 'acknowledged',
    createdAt: SAMPLE_AT,
    ...rest,
  }
}

type World = {
  readonly messages?: readonly WireMessage[]
  readonly names?: ReturnType<typeof sampleNames>
  readonly hasRun?: boolean
}

function run(words: readonly string[], { messages = [message()], names, hasRun = true }: World = {}) {
  const answers: Readonly<Record<string, unknown>> = {
    '/api/orchestrator': { items: [AGENTS] },
    [`/api/orchestrator/${SAMPLE_JOB_ID}`]: AGENTS,
    '/api/runs': { items: hasRun ? [sampleRun()] : [] },
    [`/api/runs/${SAMPLE_RUN_ID}/playbook`]: samplePlaybook('developer', 'reviewer'),
    '/api/names': names ?? sampleNames(),
    '/api/messages': { items: messages },
    [`/api/messages/${MESSAGE_ID}`]: messages[0],
    [`/api/sessions/${SAMPLE_SESSION_ID}`]: sampleSession(),
  }
  return trial.run({ answers: (_, path) => answers[path] }, ['messages', ...words])
}

describe('muster messages', () => {
  it("prints the conversation of the newest job's run, and names both", async () => {
    const printed = await run([])
    expect(printed.err).toMatch(/^job_\w+: Make it work \(run_\w+\)$/m)
    expect(printed.out).toMatch(/ orchestrator -> developer task\n {2}Add it\n$/)
  })

  it('lists the messages of the newest job if it has no run', async () => {
    const printed = await run([], { hasRun: false })
    expect(printed).toMatchObject({ code: 0 })
    expect(printed.out).toContain('msg_9abc task orchestrator -> developer')
  })

  it('lists those of all jobs only with --all', async () => {
    const printed = await run(['--all'])
    expect(printed.requests).toEqual(['GET /api/messages'])
    expect(await run(['--all', 'ada'])).toMatchObject({ code: 2 })
  })

  it('names the roles of sender and recipient in a list', async () => {
    const sent = { from: SAMPLE_SESSION_ID, fromRole: 'developer', kind: 'text', toRole: 'reviewer' } as const
    const printed = await run(['--all'], { messages: [message({ ...sent, to: SAMPLE_SESSION_ID })] })
    expect(printed.out).toContain(' text developer -> reviewer (acknowledged)')
  })

  it.each([
    ['a run', { kind: 'run', id: SAMPLE_RUN_ID }],
    ['a message', { kind: 'message', id: MESSAGE_ID }],
    ['a session', { kind: 'session', id: SAMPLE_SESSION_ID }],
  ] as const)('finds %s by a short ID without a prefix', async (_, item) => {
    const names = sampleNames(item)
    const one = await run(['b46i'], { names, messages: item.kind === 'message' ? [message()] : [] })
    expect(one.out).toMatch(item.kind === 'message' ? /Add it/ : /^no messages$/m)
    expect(one.code).toBe(0)
  })

  it('takes an agent or a role of the newest run', async () => {
    for (const name of ['ada', 'agent:ada', 'reviewer', 'role:reviewer'])
      expect(await run([name], { messages: [] })).toMatchObject({ code: 0, out: 'no messages\n' })
  })

  it('fails for any other name, and suggests what was meant', async () => {
    const unknown = await run(['nosuch'], { messages: [] })
    expect(unknown).toMatchObject({ code: 2, out: '' })
    expect(unknown.err).toMatch(/is called "nosuch"\n {2}try: muster .*messages --all\n/)
    const near = await run(['revewer'], { messages: [] })
    expect(near.err).toMatch(/try: muster .*messages reviewer\n/)
  })

  it('cuts long texts and says how to read the rest', async () => {
    const long = message({ body: 'a line\n'.repeat(9000) })
    const listed = await run([], { messages: [long] })
    expect(listed.out.split('\n').length).toBeLessThan(30)
    expect(listed.out).toMatch(/\(63000 bytes in all: muster messages msg_9abc\)/)
    expect((await run(['-v'], { messages: [long] })).out.split('\n').length).toBeGreaterThan(9000)
    expect((await run([MESSAGE_ID], { messages: [long] })).out.split('\n').length).toBeGreaterThan(9000)
  })
})
