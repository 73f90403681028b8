/**
 * A small agent without a model. It speaks the Agent Client Protocol over real pipes and does the deeds in its prompt.
 * It keeps the prompts of each conversation in a file, so that another process can resume the conversation.
 *
 *   @@do [{"say":"hello"},{"shell":"echo hi > a"},{"ask":"rm -rf x"},{"hang":true}] @@end
 */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Deed, readDeeds } from './deed.ts'

type Message = {
  readonly id?: number
  readonly method?: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly result?: Readonly<Record<string, unknown>>
}
type Ending = { readonly stopReason: string } | { readonly error: object }

const memory = process.env['ACP_MEMORY'] ?? '/nowhere'
const answers = new Map<number, (result: Readonly<Record<string, unknown>>) => void>()
let conversation = ''
let lastQuestion = 0
let isCancelled = false
let cancel: () => void = () => undefined
let later: readonly Deed[] | undefined

createInterface({ input: process.stdin }).on('line', (line) => void hear(JSON.parse(line) as Message))

async function hear(message: Message): Promise<void> {
  const { id, method, params = {} } = message
  if (method === undefined) return answers.get(id ?? -1)?.(message.result ?? {})
  if (method === 'session/cancel') {
    isCancelled = true
    return cancel()
  }
  if (method === 'initialize') {
    return answer(id, { protocolVersion: 1, agentCapabilities: { loadSession: true } })
  }
  if (method === 'session/new') {
    conversation = randomUUID()
    mkdirSync(memory, { recursive: true })
    writeFileSync(fileOf(conversation), '')
    return answer(id, { sessionId: conversation })
  }
  if (method === 'session/load') {
    conversation = String(params['sessionId'])
    if (existsSync(fileOf(conversation))) {
      later = laterIn(readFileSync(fileOf(conversation), 'utf8'))
      return answer(id, {})
    }
    return print({ id, error: { code: -32_602, message: 'there is no such conversation' } })
  }
  if (method === 'session/prompt') await takePrompt(id, params)
}

/** What an earlier process of the conversation was told to do from then on. */
function laterIn(prompts: string): readonly Deed[] | undefined {
  const told = prompts.split('\n').filter((line) => line !== '')
  const lists = told.map((line) => readDeeds(JSON.parse(line) as string) ?? [])
  return lists.flat().findLast((deed) => deed.later !== undefined)?.later
}

async function takePrompt(id: number | undefined, params: Readonly<Record<string, unknown>>): Promise<void> {
  const blocks = params['prompt'] as readonly { readonly text: string }[]
  const text = blocks.map((block) => block.text).join('\n')
  const before = readFileSync(fileOf(conversation), 'utf8')
  writeFileSync(fileOf(conversation), `${before}${JSON.stringify(text)}\n`)
  isCancelled = false
  const ending = await perform(readDeeds(text) ?? later ?? [{ say: `I was told ${reported()} things` }])
  if ('error' in ending) print({ id, ...ending })
  else answer(id, ending)
}

async function perform(deeds: readonly Deed[]): Promise<Ending> {
  for (const deed of deeds) {
    const failed = await performOne(deed)
    if (failed !== undefined) return failed
    if (isCancelled) return { stopReason: 'cancelled' }
  }
  return { stopReason: 'end_turn' }
}

async function performOne(deed: Deed): Promise<Ending | undefined> {
  if (deed.say !== undefined) say(deed.say.replaceAll('%told%', String(reported())))
  if (deed.shell !== undefined) await run(deed.shell)
  if (deed.ask !== undefined && (await ask(deed.ask))) await run(deed.ask)
  if (deed.hang === true) await new Promise<void>((resolve) => (cancel = resolve))
  if (deed.context !== undefined) {
    update({
      sessionUpdate: 'usage_update',
      used: deed.context,
      size: 100,
      cost: { amount: 0.5, currency: 'USD' },
    })
  }
  if (deed.later !== undefined) later = deed.later
  flood(deed.flood ?? 0)
  if (deed.exit !== undefined) process.exit(deed.exit)
  return reported() > (deed.times ?? 1) ? undefined : refusalOf(deed)
}

function refusalOf(deed: Deed): Ending | undefined {
  if (deed.badKey === true) return { error: { code: 401, message: 'wrong key' } }
  if (deed.limitMs === undefined) return undefined
  const data = { type: 'rate_limit_error', resetsAt: new Date(Date.now() + deed.limitMs).toISOString() }
  return { error: { code: 429, message: 'too many requests', data } }
}

function flood(thousands: number): void {
  for (let part = 0; part < thousands; part += 1) say('x'.repeat(1_000))
}

function run(command: string): Promise<void> {
  update({ sessionUpdate: 'tool_call', toolCallId: command, title: 'shell', rawInput: { command } })
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', command], { stdio: ['ignore', 'ignore', 'inherit'] })
    cancel = () => child.kill('SIGKILL')
    child.on('exit', (code) => {
      update({
        sessionUpdate: 'tool_call_update',
        toolCallId: command,
        status: code === 0 ? 'completed' : 'failed',
      })
      resolve()
    })
  })
}

async function ask(command: string): Promise<boolean> {
  lastQuestion += 1
  const question = lastQuestion
  const answered = new Promise<Readonly<Record<string, unknown>>>((resolve) => answers.set(question, resolve))
  const options = [
    { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
    { optionId: 'no', name: 'No', kind: 'reject_once' },
  ]
  const toolCall = { toolCallId: `ask-${question}`, title: command, kind: 'execute', rawInput: { command } }
  print({
    id: question,
    method: 'session/request_permission',
    params: { sessionId: conversation, toolCall, options },
  })
  const outcome = (await answered)['outcome'] as { readonly optionId?: string } | undefined
  return outcome?.optionId === 'yes'
}

function reported(): number {
  return readFileSync(fileOf(conversation), 'utf8').trimEnd().split('\n').length
}

function fileOf(id: string): string {
  return join(memory, `${id}.jsonl`)
}

function say(text: string): void {
  update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } })
}

function update(content: object): void {
  print({ method: 'session/update', params: { sessionId: conversation, update: content } })
}

function answer(id: number | undefined, result: object): void {
  print({ id, result })
}

function print(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}
