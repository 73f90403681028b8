import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { objectOf, objectsOf, textOf } from './json-object.ts'
import { type ModelServer, startModelServer } from './model-server.ts'
import { type Step, script } from './step.ts'

/** How the programs of each service send requests, and what they read from responses. */
type Dialect = {
  readonly wire: string
  readonly path: (isStreamed: boolean) => string
  readonly body: (conversation: readonly ConversationState[], isStreamed: boolean) => object
  readonly readWhole: (body: unknown) => Heard
  readonly readEvents: (events: readonly unknown[]) => Heard
}

type ConversationState =
  | { readonly user: string }
  | { readonly calls: readonly Call[] }
  | { readonly assistant: string }
type Call = { readonly id: string; readonly name: string; readonly input: unknown }
type Heard = { readonly text: string; readonly calls: readonly Call[] }

let server: ModelServer & AsyncDisposable

beforeAll(async () => {
  server = await startModelServer()
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
})

const shellSchema = (field: string) => ({
  type: 'object',
  properties: { [field]: { type: 'string' }, description: { type: 'string' } },
  required: [field, 'description'],
})

const anthropic: Dialect = {
  wire: 'anthropic',
  path: () => '/v1/messages?beta=true',
  body: (conversation, stream) => ({
    model: 'm',
    stream,
    tools: [{ name: 'Bash', input_schema: shellSchema('command') }],
    messages: conversation.flatMap<object>((turn) => {
      if ('user' in turn) return [{ role: 'user', content: [{ type: 'text', text: turn.user }] }]
      if ('assistant' in turn) return [{ role: 'assistant', content: turn.assistant }]
      return [
        { role: 'assistant', content: turn.calls.map((call) => ({ type: 'tool_use', ...call })) },
        {
          role: 'user',
          content: turn.calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'ok' })),
        },
      ]
    }),
  }),
  readWhole(body) {
    const blocks = objectsOf(objectOf(body)['content'])
    return {
      text: textOf(blocks.find((block) => block['type'] === 'text')?.['text']),
      calls: blocks
        .filter((block) => block['type'] === 'tool_use')
        .map((block) => ({ id: textOf(block['id']), name: textOf(block['name']), input: block['input'] })),
    }
  },
  readEvents(events) {
    const deltas = events.map((event) => objectOf(event)).filter((event) => 'delta' in event)
    const inputAt = (index: unknown) =>
      deltas
        .filter((event) => event['index'] === index)
        .map((event) => textOf(objectOf(event['delta'])['partial_json']))
        .join('')
    return {
      text: deltas.map((event) => textOf(objectOf(event['delta'])['text'])).join(''),
      calls: events
        .map((event) => ({
          index: objectOf(event)['index'],
          block: objectOf(objectOf(event)['content_block']),
        }))
        .filter(({ block }) => block['type'] === 'tool_use')
        .map(({ index, block }) => ({
          id: textOf(block['id']),
          name: textOf(block['name']),
          input: JSON.parse(inputAt(index)) as unknown,
        })),
    }
  },
}

function readResponseItems(response: unknown): Heard {
  const items = objectsOf(objectOf(response)['output'])
  return {
    text: items
      .flatMap((item) => objectsOf(item['content']))
      .map((part) => textOf(part['text']))
      .join(''),
    calls: items
      .filter((item) => item['type'] === 'function_call')
      .map((item) => ({
        id: textOf(item['call_id']),
        name: textOf(item['name']),
        input: JSON.parse(textOf(item['arguments'])) as unknown,
      })),
  }
}

const responses: Dialect = {
  wire: 'responses',
  path: () => '/v1/responses',
  body: (conversation, stream) => ({
    model: 'm',
    stream,
    tools: [{ type: 'function', name: 'exec_command', parameters: shellSchema('cmd') }],
    input: conversation.flatMap<object>((turn) => {
      if ('user' in turn)
        return [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: turn.user }] }]
      if ('assistant' in turn) return [{ type: 'message', role: 'assistant', content: turn.assistant }]
      return [
        ...turn.calls.map(({ id, name, input }) => ({
          type: 'function_call',
          call_id: id,
          name,
          arguments: JSON.stringify(input),
        })),
        ...turn.calls.map(({ id }) => ({ type: 'function_call_output', call_id: id, output: 'ok' })),
      ]
    }),
  }),
  readWhole: readResponseItems,
  readEvents: (events) => readResponseItems(objectOf(events.at(-1))['response']),
}

const readChatCall = (call: unknown): Call => {
  const called = objectOf(objectOf(call)['function'])
  return {
    id: textOf(objectOf(call)['id']),
    name: textOf(called['name']),
    input: JSON.parse(textOf(called['arguments'])) as unknown,
  }
}

const chat: Dialect = {
  wire: 'chat',
  path: () => '/v1/chat/completions',
  body: (conversation, stream) => ({
    model: 'm',
    stream,
    tools: [{ type: 'function', function: { name: 'bash', parameters: shellSchema('command') } }],
    messages: [
      { role: 'system', content: 'you are a program' },
      ...conversation.flatMap<object>((turn) => {
        if ('user' in turn) return [{ role: 'user', content: turn.user }]
        if ('assistant' in turn) return [{ role: 'assistant', content: turn.assistant }]
        const calls = turn.calls.map(({ id, name, input }) => ({
          id,
          type: 'function',
          function: { name, arguments: JSON.stringify(input) },
        }))
        return [
          { role: 'assistant', content: null, tool_calls: calls },
          ...calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'ok' })),
        ]
      }),
    ],
  }),
  readWhole(body) {
    const message = objectOf(objectsOf(objectOf(body)['choices'])[0]?.['message'])
    return { text: textOf(message['content']), calls: objectsOf(message['tool_calls']).map(readChatCall) }
  },
  readEvents(events) {
    const deltas = events.flatMap((event) =>
      objectsOf(objectOf(event)['choices']).map((choice) => objectOf(choice['delta'])),
    )
    return {
      text: deltas.map((delta) => textOf(delta['content'])).join(''),
      calls: deltas.flatMap((delta) => objectsOf(delta['tool_calls'])).map(readChatCall),
    }
  },
}

function readCandidates(bodies: readonly unknown[]): Heard {
  const parts = bodies
    .flatMap((body) => objectsOf(objectOf(body)['candidates']))
    .flatMap((candidate) => objectsOf(objectOf(candidate['content'])['parts']))
  return {
    text: parts.map((part) => textOf(part['text'])).join(''),
    calls: parts
      .map((part) => objectOf(part['functionCall']))
      .filter((call) => 'name' in call)
      .map((call) => ({ id: textOf(call['id']), name: textOf(call['name']), input: call['args'] })),
  }
}

const gemini: Dialect = {
  wire: 'gemini',
  path: (isStreamed) =>
    `/v1beta/models/m:${isStreamed ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
  body: (conversation) => ({
    tools: [
      {
        functionDeclarations: [{ name: 'run_shell_command', parametersJsonSchema: shellSchema('command') }],
      },
    ],
    contents: conversation.flatMap<object>((turn) => {
      if ('user' in turn) return [{ role: 'user', parts: [{ text: turn.user }] }]
      if ('assistant' in turn) return [{ role: 'model', parts: [{ text: turn.assistant }] }]
      const answers = turn.calls.map(({ id, name }) => ({
        functionResponse: { id, name, response: { output: 'ok' } },
      }))
      return [
        {
          role: 'model',
          parts: turn.calls.map(({ id, name, input }) => ({ functionCall: { id, name, args: input } })),
        },
        { role: 'user', parts: answers },
      ]
    }),
  }),
  readWhole: (body) => readCandidates([body]),
  readEvents: readCandidates,
}

async function ask(
  dialect: Dialect,
  conversation: readonly ConversationState[],
  isStreamed: boolean,
  signal?: AbortSignal,
): Promise<Heard> {
  const response = await post(dialect, conversation, isStreamed, signal)
  if (!response.ok) throw new Error(await response.text())
  return isStreamed
    ? dialect.readEvents(eventsOf(await response.text()))
    : dialect.readWhole(await response.json())
}

function post(
  dialect: Dialect,
  conversation: readonly ConversationState[],
  isStreamed: boolean,
  signal = AbortSignal.timeout(10_000),
): Promise<Response> {
  return fetch(server.url + dialect.path(isStreamed), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(dialect.body(conversation, isStreamed)),
    signal,
  })
}

function eventsOf(stream: string): readonly unknown[] {
  return stream
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice('data: '.length)) as unknown)
}

const DIALECTS = [anthropic, responses, chat, gemini].flatMap((dialect) =>
  [true, false].map((isStreamed) => ({
    dialect,
    isStreamed,
    title: `${dialect.wire} ${isStreamed ? 'streamed' : 'whole'}`,
  })),
)

describe.each(DIALECTS)('the scripted model over $title', ({ dialect, isStreamed }) => {
  const steps: readonly Step[] = [
    { text: 'I write a file, and this text is longer than one piece.', shell: 'echo "a\\b" > \'c\'' },
    { tool: { name: 'mcp__muster__finish', input: { done: true } } },
    { text: 'It is done.' },
  ]

  it('plays the script of a prompt step by step, with the tools that are offered', async () => {
    const conversation: ConversationState[] = [{ user: `Please.\n${script(steps)}\nThank you.` }]
    const first = await ask(dialect, conversation, isStreamed)
    const [shell] = first.calls
    expect(first.text).toBe(steps[0]?.text)
    expect(Object.values(objectOf(shell?.input))).toContain(steps[0]?.shell)
    expect(objectOf(shell?.input)['description']).toBe('scripted')
    conversation.push({ calls: first.calls })
    const second = await ask(dialect, conversation, isStreamed)
    expect(second.calls).toMatchObject([{ name: 'mcp__muster__finish', input: { done: true } }])
    conversation.push({ calls: second.calls })
    expect(await ask(dialect, conversation, isStreamed)).toEqual({ text: 'It is done.', calls: [] })
    conversation.push({ assistant: 'It is done.' }, { user: `And now: ${script([{ text: 'again' }])}` })
    expect(await ask(dialect, conversation, isStreamed)).toEqual({ text: 'again', calls: [] })
    expect(server.requests().at(-1)).toMatchObject({ wire: dialect.wire, step: 0, status: 200 })
    expect(JSON.stringify(server.requests().at(-1)?.messages)).toContain('It is done.')
  })

  it('continues the script after a message without one, and counts several calls in one reply as one step', async () => {
    const both: readonly Step[] = [{ calls: [{ shell: 'one' }, { shell: 'two' }] }, { text: 'both ran' }]
    const conversation: ConversationState[] = [{ user: script(both) }]
    const first = await ask(dialect, conversation, isStreamed)
    expect(first.calls.map((call) => Object.values(objectOf(call.input)))).toEqual([
      expect.arrayContaining(['one']),
      expect.arrayContaining(['two']),
    ])
    conversation.push({ calls: first.calls }, { user: 'go on' })
    expect(await ask(dialect, conversation, isStreamed)).toEqual({ text: 'both ran', calls: [] })
  })

  it('continues a registered script after a tool call, until a later message asks for another one', async () => {
    const [first, second] = [randomUUID(), randomUUID()]
    server.play(first, [{ shell: 'one' }, { text: 'the first is done' }])
    server.play(second, [{ shell: 'two' }, { text: 'the second is done' }])
    const conversation: ConversationState[] = [{ user: `Do ${first}.` }]
    conversation.push({ calls: (await ask(dialect, conversation, isStreamed)).calls })
    const done = await ask(dialect, conversation, isStreamed)
    expect(done).toEqual({ text: 'the first is done', calls: [] })
    conversation.push({ assistant: done.text }, { user: `Now do ${second}.` })
    const { calls } = await ask(dialect, conversation, isStreamed)
    expect(Object.values(objectOf(calls[0]?.input))).toContain('two')
  })

  it('fails as scripted, with the error of the service or a given one, and then continues', async () => {
    const error = { status: 429, headers: { 'retry-after': '7' } }
    const conversation: ConversationState[] = [
      { user: `${dialect.wire} ${isStreamed} ${script([{ text: 'at last', error }])}` },
    ]
    const refused = await post(dialect, conversation, isStreamed)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('7')
    expect(JSON.stringify(await refused.json())).toMatch(/rate_limit|RESOURCE_EXHAUSTED/)
    expect(await ask(dialect, conversation, isStreamed)).toEqual({ text: 'at last', calls: [] })
  })

  it('hangs until the client disconnects', async () => {
    const mark = `${dialect.wire} hangs ${isStreamed}`
    const leave = new AbortController()
    const conversation = [{ user: `${mark} ${script([{ text: 'one moment', hang: true }])}` }]
    const answer = post(dialect, conversation, isStreamed, leave.signal).then((response) => response.text())
    const isMarked = (request: { readonly messages: readonly { readonly text: string }[] }) =>
      request.messages.some((message) => message.text.includes(mark))
    await server.waitFor(isMarked, AbortSignal.timeout(10_000))
    leave.abort()
    await expect(answer).rejects.toThrow()
    const once = [{ user: `${mark} ${script([{ text: 'now', hang: 1 }])}` }]
    await expect(ask(dialect, once, isStreamed, AbortSignal.timeout(50))).rejects.toThrow()
    expect(await ask(dialect, once, isStreamed)).toEqual({ text: 'now', calls: [] })
  })

  it('answers an invalid script as a bad request', async () => {
    const refused = await post(dialect, [{ user: '@@script [{"shel":"ls"}] @@end' }], isStreamed)
    expect(refused.status).toBe(400)
    expect(await refused.text()).toContain('a step has no')
  })
})

describe('the scripted model', () => {
  it('reports a limit until its time is over, however often it is requested', async () => {
    const error = {
      status: 429,
      lastsMs: 1000,
      headers: { 'anthropic-ratelimit-unified-reset': '{{resetSeconds}}' },
      body: { error: { resets_at: '{{resetSeconds}}', message: 'until {{resetTime}}' } },
    }
    const conversation = [{ user: script([{ text: 'free again', error }]) }]
    const before = Date.now()
    const refused = await post(anthropic, conversation, true)
    const reported = objectOf(objectOf(await refused.json())['error'])
    expect(Number(refused.headers.get('anthropic-ratelimit-unified-reset'))).toBe(reported['resets_at'])
    const until = Date.parse(textOf(reported['message']).replace('until ', ''))
    expect(until).toBeGreaterThanOrEqual(before + 1000)
    let answer = await post(anthropic, conversation, false)
    expect(answer.status).toBe(429)
    while (!answer.ok) answer = await post(anthropic, conversation, false)
    expect(Date.now()).toBeGreaterThanOrEqual(until)
  })

  it('plays registered scripts for matching prompts, and answers all others with a plain text', async () => {
    await fetch(`${server.url}/scripts`, {
      method: 'POST',
      body: JSON.stringify([{ match: 'a posted wish', steps: [{ text: 'granted' }] }]),
    })
    expect(await ask(chat, [{ user: 'this is a posted wish' }], true)).toMatchObject({ text: 'granted' })
    expect(await ask(chat, [{ user: 'something else' }], true)).toMatchObject({
      text: 'There is no script for this.',
    })
  })

  it('answers requests for titles, schemas, token counts, models and health', async () => {
    const title = { messages: [{ role: 'user', content: script([{ shell: 'ls' }]) }] }
    const shape = {
      type: 'object',
      properties: { outcome: { type: 'string', enum: ['allow', 'deny'] } },
      required: ['outcome'],
    }
    const send = async (path: string, body: object) => {
      const response = await fetch(server.url + path, { method: 'POST', body: JSON.stringify(body) })
      return response.json()
    }
    expect(anthropic.readWhole(await send('/v1/messages', title)).text).toBe('scripted')
    const review = { ...responses.body([{ user: 'x' }], false), text: { format: { schema: shape } } }
    expect(responses.readWhole(await send('/v1/responses', review)).text).toBe('{"outcome":"deny"}')
    expect(await send('/v1/messages/count_tokens', title)).toEqual({
      input_tokens: expect.any(Number) as number,
    })
    expect(await send('/v1beta/models/m:countTokens', title)).toEqual({
      totalTokens: expect.any(Number) as number,
    })
    expect((await fetch(`${server.url}/v1/models`)).status).toBe(200)
    expect((await fetch(server.url, { method: 'HEAD' })).status).toBe(200)
    expect((await fetch(`${server.url}/nowhere`)).status).toBe(404)
    expect((await fetch(`${server.url}/nowhere`, { method: 'POST', body: '{}' })).status).toBe(404)
  })

  it('calls tools in a group by their full name', async () => {
    const body = {
      ...responses.body([{ user: script([{ tool: { name: 'mcp__muster__ask', input: {} } }]) }], false),
      tools: [
        { type: 'function', name: 'exec_command', parameters: shellSchema('cmd') },
        { type: 'namespace', name: 'mcp__muster__', tools: [{ type: 'function', name: 'ask' }] },
      ],
    }
    const response = await fetch(`${server.url}/v1/responses`, { method: 'POST', body: JSON.stringify(body) })
    const [call] = objectsOf(objectOf(await response.json())['output'])
    expect(call).toMatchObject({ type: 'function_call', namespace: 'mcp__muster__', name: 'ask' })
  })
})
