import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { describe, expect, it } from 'vitest'
import type { MusterClient } from '../../src/client/index.ts'
import { type AcpStage, acpStage, take, workersOf, workerWhen } from '../support/acp-agent/acp-stage.ts'
import { type Deed, deeds } from '../support/acp-agent/deed.ts'
import { commit } from '../support/acp-project.ts'
import { agentOutput } from '../support/agent-output.ts'
import { runCommandLine } from '../support/run-command-line.ts'
import { until, waitForJob } from '../support/test-daemon.ts'

/** Tells the test its address and token, then stays in its turn until the test lets it go on. */
function wait(name: string): readonly Deed[] {
  return [
    { shell: `printf '%s %s\\n' "$MUSTER_URL" "$MUSTER_TOKEN" > "$ACP_MEMORY/${name}.key"` },
    { shell: `until [ -e "$ACP_MEMORY/${name}.go" ]; do sleep 0.05; done` },
  ]
}

type Key = { readonly url: string; readonly token: string }

async function keyOf(stage: AcpStage, name: string): Promise<Key> {
  const [url = '', token = ''] = (await stage.left(`${name}.key`)).split(' ')
  return { url, token }
}

/** The tools as an agent program has them: over the protocol's own client. */
async function connectTools({ url, token }: Key) {
  const client = new Client({ name: 'an agent', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  // The cast is for exact optional types, which the protocol's own package does without.
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit })
  await client.connect(transport as Parameters<typeof client.connect>[0])
  return {
    list: async () => (await client.listTools()).tools.map(({ name }) => name).toSorted(),
    async call(name: string, input: Readonly<Record<string, unknown>> = {}) {
      const result = await client.callTool({ name, arguments: { ...input } })
      const [part] = result.content as readonly { readonly text: string }[]
      const data = JSON.parse(part?.text ?? '') as Readonly<Record<string, unknown>>
      if (result.isError === true) throw new Error(part?.text)
      return data
    },
    [Symbol.asyncDispose]: () => client.close(),
  }
}

type ReceivedMessage = {
  readonly id: string
  readonly body: string
  readonly inReplyTo?: string
  readonly from: string
}

function messagesIn(answer: Readonly<Record<string, unknown>>): readonly ReceivedMessage[] {
  return answer['messages'] as readonly ReceivedMessage[]
}

async function questionIn(client: MusterClient, jobId: string) {
  const query = { job: jobId, recipient: 'person', kind: 'question' } as const
  let id = ''
  await until(async () => {
    id = take(await client.listMessages(query)).items[0]?.id ?? ''
    return id !== ''
  })
  return id
}

async function statusOf({ url, token }: Key, path: string, method = 'GET'): Promise<number> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(method === 'GET' ? {} : { body: '{}' }),
  })
  await response.body?.cancel()
  return response.status
}

describe('messages', () => {
  it('go through the seven tools of an agent, to people and back, and to its predecessor', async () => {
    await using it = await acpStage([wait('first')], {
      files: { '.muster/skills/review/SKILL.md': '---\ndescription: How we review\n---\nLook twice.\n' },
    })
    const { client } = await it.home.start()
    const jobId = await it.startJob(client)
    const firstKey = await keyOf(it, 'first')
    const first = await workerWhen(client, jobId, 1, ({ status }) => status === 'running')
    await using tools = await connectTools(firstKey)
    expect(await tools.list()).toEqual(['ask', 'complete', 'handoff', 'inbox', 'progress', 'send', 'skills'])

    expect(await tools.call('skills')).toEqual({
      skills: [{ name: 'review', description: 'How we review' }],
    })
    expect(await tools.call('skills', { name: 'review' })).toMatchObject({
      text: expect.stringContaining('twice'),
    })

    await tools.call('progress', { text: 'a third is done', percent: 33 })
    const events = take(await client.listEvents(jobId, { limit: 500 })).items
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'task_progress',
        data: { message: 'a third is done', source: 'agent', percent: 33 },
      }),
    )

    await tools.call('send', { to: 'person', subject: 'news', body: 'I found something' })
    const forPeople = take(await client.listMessages({ job: jobId, recipient: 'person' })).items
    expect(forPeople).toMatchObject([{ from: first.id, subject: 'news', body: 'I found something' }])
    await expect(tools.call('send', { to: 'agent:stranger', body: 'x' })).rejects.toThrow('recipient-unknown')

    const asking = tools.call('ask', { question: 'Which colour?', wait: 40 })
    const questionId = await questionIn(client, jobId)
    const answered = await runCommandLine(['answer', questionId, 'Blue.'], { home: it.home.home })
    expect(answered).toMatchObject({ code: 0 })
    expect(await asking).toMatchObject({ id: questionId, answer: { body: 'Blue.', from: 'person' } })
    const [answer] = messagesIn(await tools.call('inbox'))
    expect(answer).toMatchObject({ body: 'Blue.', inReplyTo: questionId })
    expect(messagesIn(await tools.call('inbox', { acknowledge: [answer?.id] }))).toEqual([])
    expect(await runCommandLine(['answer', questionId, 'Red.'], { home: it.home.home })).toMatchObject({
      code: expect.not.toSatisfy((code: number) => code === 0),
    })

    const rest = deeds(...wait('second'), commit('a.txt'), { say: 'my last words' })
    await tools.call('handoff', { summary: rest, reason: 'lunch' })
    await it.note('first.go', '')
    const secondKey = await keyOf(it, 'second')
    const second = await workerWhen(client, jobId, 2, ({ status }) => status === 'running')
    expect(await statusOf(firstKey, '/api/agent/inbox')).toBe(401)
    await expect(connectTools(firstKey)).rejects.toThrow()

    await using heir = await connectTools(secondKey)
    const told = await heir.call('ask', { to: 'predecessor', question: 'What do you know?', wait: 45 })
    expect(told).toMatchObject({ answer: { from: 'engine', body: 'I was told 2 things' } })
    const queries = take(await client.listSessions({ job: jobId, purpose: 'query' })).items
    expect(queries).toMatchObject([{ purpose: { of: first.id }, role: 'worker' }])

    await heir.call('complete', { summary: 'It is blue now.' })
    await it.note('second.go', '')
    expect((await waitForJob(client, jobId)).status).toBe('completed')
    const [task] = take(await client.listTasks({ job: jobId })).items
    expect(task).toMatchObject({ status: 'completed', resultSummary: 'It is blue now.' })
    expect((await workersOf(client, jobId)).map(({ id }) => id)).toEqual([first.id, second.id])
  })

  it('from people make a running agent look, after the turn it is in', async () => {
    const look = [
      { shell: 'muster agent inbox --json > "$ACP_MEMORY/read"' },
      { shell: `muster agent inbox --ack $(grep -o 'msg_[0-9a-z]*' "$ACP_MEMORY/read")` },
      commit('a.txt'),
    ]
    await using it = await acpStage([[{ later: look }, ...wait('worker')]])
    const { client } = await it.home.start()
    const jobId = await it.startJob(client)
    await keyOf(it, 'worker')
    const worker = await workerWhen(client, jobId, 1, ({ status }) => status === 'running')
    take(await client.sendMessage({ to: worker.id, body: 'Mind the gap.' }))
    await workerWhen(client, jobId, 1, ({ openTurns }) => openTurns === 2)
    take(await client.sendMessage({ to: 'role:worker', jobId, body: 'Mind the doors.' }))
    expect(await client.sendMessage({ to: 'role:nobody', jobId, body: 'x' })).toMatchObject({ ok: false })
    await it.note('worker.go', '')
    expect((await waitForJob(client, jobId)).status).toBe('completed')
    expect(await workersOf(client, jobId)).toMatchObject([{ id: worker.id, ending: 'done' }])
    const mail = take(await client.listMessages({ job: jobId })).items.toReversed()
    expect(mail).toMatchObject([
      { from: 'person', body: 'Mind the gap.', status: 'acknowledged' },
      { from: 'person', body: 'Mind the doors.', status: 'acknowledged' },
    ])
    // One notice is enough for both.
    const said = take(await client.listSessionEvents(worker.id, { limit: 500 })).items
    expect(said.filter((event) => agentOutput(event)?.type === 'turn-end')).toHaveLength(2)
  })

  it('to a predecessor that cannot be asked any more are answered with that', async () => {
    const last = deeds(
      { shell: 'muster agent ask --to predecessor --wait 40 "What now?" > "$ACP_MEMORY/told"' },
      commit('a.txt'),
    )
    await using it = await acpStage([[{ shell: 'muster agent handoff rest --to helper' }]], {
      agents: { helper: { provider: 'command', command: ['sh', './helper.sh'], roles: [] } },
      files: { 'helper.sh': `muster agent handoff - --to acp <<'END'\n${last}\nEND\n` },
    })
    const { client } = await it.home.start()
    const jobId = await it.startJob(client)
    expect((await waitForJob(client, jobId)).status).toBe('completed')
    expect(await it.left('told')).toContain('There is no answer')
  })

  it('left in the outbox arrive once and in order, however often the daemon is killed', async () => {
    const write = [
      `message() { printf '{"type":"send","to":"person","body":"%s"%s}' "$2" "$3" > "$MUSTER_OUTBOX/.new"`,
      `mv "$MUSTER_OUTBOX/.new" "$MUSTER_OUTBOX/$1.json"; }`,
      `for n in 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do message "$n" "message $n"; sleep 0.2; done`,
      `message 90 twice ',"key":"one"'; while [ -e "$MUSTER_OUTBOX/90.json" ]; do sleep 0.05; done`,
      `message 91 twice ',"key":"one"'; printf '{"type":"shout"}' > "$MUSTER_OUTBOX/92.json"`,
      `while [ -e "$MUSTER_OUTBOX/92.json" ]; do sleep 0.05; done`,
    ].join('\n')
    await using it = await acpStage([[{ shell: write }, commit('a.txt')]])
    let daemon = await it.home.start()
    const jobId = await it.startJob(daemon.client)
    for (const count of [1, 4, 8]) {
      const query = { job: jobId, recipient: 'person', limit: 100 } as const
      await until(async () => take(await daemon.client.listMessages(query)).items.length >= count)
      await daemon.kill()
      daemon = await it.home.start()
    }
    expect((await waitForJob(daemon.client, jobId)).status).toBe('completed')
    const mail = take(await daemon.client.listMessages({ job: jobId, limit: 100 })).items.toReversed()
    const sent = mail.filter(({ to }) => to === 'person').map(({ body }) => body)
    const wanted = Array.from({ length: 15 }, (_, index) => `message ${index + 11}`)
    expect(sent).toEqual([...wanted, 'twice'])
    expect(mail.filter(({ status }) => status === 'failed')).toMatchObject([{ subject: 'outbox: 92.json' }])
  })

  it("an agent's token opens its own messages and nothing else, and nothing after its session", async () => {
    await using it = await acpStage([wait('one').concat(commit('a.txt'))])
    const { client } = await it.home.start()
    const jobId = await it.startJob(client)
    const key = await keyOf(it, 'one')
    const worker = await workerWhen(client, jobId, 1, ({ status }) => status === 'running')
    expect(await statusOf(key, '/api/agent/inbox')).toBe(200)
    const closed = [
      ['GET', '/api/approvals'],
      ['GET', '/api/jobs'],
      ['GET', `/api/jobs/${jobId}`],
      ['POST', `/api/jobs/${jobId}/cancel`],
      ['GET', '/api/sessions'],
      ['GET', `/api/sessions/${worker.id}`],
      ['POST', `/api/sessions/${worker.id}/stop`],
      ['POST', `/api/sessions/${worker.id}/messages`],
      ['GET', '/api/messages'],
      ['POST', '/api/messages'],
      ['GET', '/api/status'],
      ['POST', '/api/shutdown'],
      ['GET', '/api/there-is-no-such-thing'],
    ] as const
    for (const [method, path] of closed) {
      expect([path, await statusOf(key, path, method)]).toEqual([path, 401])
    }
    const forged = { ...key, token: `${key.token.slice(0, -1)}${key.token.endsWith('A') ? 'B' : 'A'}` }
    expect(await statusOf(forged, '/api/agent/inbox')).toBe(401)

    await it.note('one.go', '')
    expect((await waitForJob(client, jobId)).status).toBe('completed')
    for (const path of ['/api/agent/inbox', '/api/agent/messages', '/api/agent/skills', '/mcp']) {
      expect([path, await statusOf(key, path)]).toEqual([path, 401])
    }
  })
})
