import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { describe, expect, it } from 'vitest'
import type { MusterClient } from '../../src/client/index.ts'
import { type AcpStage, acpStage, workersOf, workerWhen } from '../support/acp-agent/acp-stage.ts'
import { type Deed, deeds } from '../support/acp-agent/deed.ts'
import { commit } from '../support/acp-project.ts'
import { agentOutput } from '../support/agent-output.ts'
import { runCommandLine } from '../support/run-command-line.ts'
import { tasksOf } from '../support/run-job.ts'
import { shareDaemon } from '../support/shared-daemon.ts'
import { take } from '../support/take.ts'
import { until, waitForJob } from '../support/test-daemon.ts'

const shared = shareDaemon()

/** A repository for the shared daemon whose tasks are lists of deeds. */
const stage: typeof acpStage = (tasks, options) => acpStage(tasks, { ...options, home: shared.home })

/** Leaves the session's address and token for the test, then stays in its turn until the test ends the wait. */
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

/** Muster's tools, called through the protocol's own client, as an agent program calls them. */
async function connectTools({ url, token }: Key) {
  const client = new Client({ name: 'an agent', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  // The protocol's package is not written for exact optional types, hence the cast.
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

describe('the messages of an agent', () => {
  it('travel through its tools, to people and back and to its predecessor', async () => {
    await using it = await stage([wait('first')], {
      files: { '.muster/skills/review/SKILL.md': '---\ndescription: How we review\n---\nLook twice.\n' },
    })
    const { client } = shared
    const jobId = await it.startJob(client)
    const firstKey = await keyOf(it, 'first')
    const first = await workerWhen(client, jobId, 1, ({ status }) => status === 'running')
    await using tools = await connectTools(firstKey)
    expect(await tools.list()).toEqual([
      'ask',
      'complete',
      'handoff',
      'inbox',
      'progress',
      'read',
      'send',
      'skills',
      'thread',
    ])

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
    const [asker] = await tasksOf(client, jobId)
    const logs = () => runCommandLine(['logs', asker?.id ?? ''], { home: it.home.home })
    expect((await logs()).stdout).toMatch(
      /\? asks: Which colour\?\n.*waiting for you: muster answer msg_\w+ "/,
    )
    const answered = await runCommandLine(['answer', questionId, 'Blue.'], { home: it.home.home })
    expect((await logs()).stdout).toContain('> Blue.')
    expect(answered).toMatchObject({ code: 0 })
    expect(await asking).toMatchObject({ id: questionId, answer: { body: 'Blue.', from: 'person' } })
    // The answer came with the tool's result, so it isn't in the inbox too.
    expect(messagesIn(await tools.call('inbox'))).toEqual([])
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

    await using successor = await connectTools(secondKey)
    const printed = await successor.call('ask', {
      to: 'predecessor',
      question: 'What do you know?',
      wait: 45,
    })
    expect(printed).toMatchObject({ answer: { from: 'engine', body: 'I was told 2 things' } })
    const queries = take(await client.listSessions({ job: jobId, purpose: 'query' })).items
    expect(queries).toMatchObject([{ purpose: { of: first.id }, role: 'worker' }])

    await successor.call('complete', { summary: 'It is blue now.' })
    await it.note('second.go', '')
    expect((await waitForJob(client, jobId)).status).toBe('completed')
    const [task] = await tasksOf(client, jobId)
    expect(task).toMatchObject({ status: 'completed', resultSummary: 'It is blue now.' })
    expect((await workersOf(client, jobId)).map(({ id }) => id)).toEqual([first.id, second.id])
  })

  it('are read after the current turn if they come from people', async () => {
    const inspect = [
      { shell: 'muster agent inbox --json > "$ACP_MEMORY/read"' },
      { shell: `muster agent inbox --ack $(grep -o 'msg_[0-9a-z]*' "$ACP_MEMORY/read")` },
      commit('a.txt'),
    ]
    await using it = await stage([[{ later: inspect }, ...wait('worker')]])
    const { client } = shared
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
    const messages = take(await client.listMessages({ job: jobId })).items.toReversed()
    expect(messages).toMatchObject([
      { from: 'person', body: 'Mind the gap.', status: 'acknowledged' },
      { from: 'person', body: 'Mind the doors.', status: 'acknowledged' },
    ])
    // One nudge is enough for both.
    const said = take(await client.listSessionEvents(worker.id, { limit: 500 })).items
    expect(said.filter((event) => agentOutput(event)?.type === 'turn-end')).toHaveLength(2)
  })

  it('are answered at once if the predecessor they are for cannot be asked', async () => {
    const last = deeds(
      { shell: 'muster agent ask --to predecessor --wait 40 "What now?" > "$ACP_MEMORY/answer"' },
      commit('a.txt'),
    )
    await using it = await stage([[{ shell: 'muster agent handoff rest --to helper' }]], {
      agents: { helper: { provider: 'command', command: ['sh', './helper.sh'], roles: [] } },
      files: { 'helper.sh': `muster agent handoff - --to acp <<'END'\n${last}\nEND\n` },
    })
    const { client } = shared
    const jobId = await it.startJob(client)
    expect((await waitForJob(client, jobId)).status).toBe('completed')
    expect(await it.left('answer')).toContain('There is no answer')
  })

  it('are all that its token gives access to, and only while its session is live', async () => {
    await using it = await stage([wait('one').concat(commit('a.txt'))])
    const { client } = shared
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
