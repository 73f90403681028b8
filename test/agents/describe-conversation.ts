import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TurnOutcome } from '../../src/domain/session/turn-outcome.ts'
import type { ModelServer } from '../support/model-server/model-server.ts'
import { type Step, script } from '../support/model-server/step.ts'
import { type TemporaryDirectory, temporaryDirectory } from '../support/temporary-directory.ts'
import { type TestRepository, testRepository } from '../support/test-repository.ts'
import type { AgentProgram } from './agent-program.ts'
import { commit } from './commit.ts'
import { openPerson, type Person } from './person.ts'
import {
  type ConversationRequest,
  type ProgramConversation,
  startConversation,
} from './program-conversation.ts'
import { startToolServer } from './tool-server.ts'

const PATIENCE_MS = 60_000

/** Tests the program with its provider and the scripted model only. A failure here is not the daemon's fault. */
export function describeConversation(name: string, program: AgentProgram): void {
  describe(`${name} in a conversation with its provider`, () => {
    let person: Person

    beforeAll(async () => {
      person = await openPerson(program)
    })
    afterAll(async () => {
      await person[Symbol.asyncDispose]()
    })

    it('commits, and exits by itself at the end of its input', async () => {
      await using scene = await openScene(program, person)
      await using conversation = await scene.conversation([commit('hello.txt'), { text: 'It is done.' }])
      expect(await conversation.turnEnd(1)).toEqual({ type: 'done', text: 'It is done.' })
      expect(await scene.repository.git('show', 'HEAD:hello.txt')).toBe('hello.txt')
      expect(await conversation.end()).toBe(0)
    })

    it('remembers the conversation in a new process', async () => {
      await using scene = await openScene(program, person)
      const first = script([commit('one.txt'), { text: 'The first part is done.' }])
      const session = await scene.oneTurn(first)
      await using conversation = await scene.start({
        prompt: script([{ text: 'I remember.' }]),
        resume: session,
      })
      expect(await conversation.turnEnd(1)).toEqual({ type: 'done', text: 'I remember.' })
      const asked = scene.model.requests().findLast(({ messages }) => saidIn(messages, 'I remember.'))
      expect(asked && saidIn(asked.messages, first)).toBe(true)
      expect(asked && saidIn(asked.messages, 'The first part is done.')).toBe(true)
    })

    it('stops a turn that hangs, and answers the next message', async () => {
      await using scene = await openScene(program, person)
      await using conversation = await scene.conversation([{ text: 'one moment please', hang: true }])
      await scene.model.waitFor(
        ({ messages }) => saidIn(messages, 'one moment please'),
        AbortSignal.timeout(PATIENCE_MS),
      )
      conversation.interrupt()
      expect(await conversation.turnEnd(1)).toEqual({ type: 'interrupted' })
      conversation.say(script([{ text: 'Here I am.' }]))
      expect(await conversation.turnEnd(2)).toEqual({ type: 'done', text: 'Here I am.' })
    })

    it('asks for permission, and does only what is allowed', async () => {
      await using scene = await openScene(program, person)
      const params = program.asking
      await using conversation = await scene.conversation(
        [{ ...commit('yes.txt'), params }, { ...commit('no.txt'), params }, { text: 'as you wish' }],
        'ask',
      )
      const first = await conversation.question(1)
      expect(JSON.stringify(first.input)).toContain('yes.txt')
      conversation.decide(first.requestId, { type: 'allow' })
      const second = await conversation.question(2)
      expect(JSON.stringify(second.input)).toContain('no.txt')
      expect(await exists(scene, 'yes.txt')).toBe(true)
      conversation.decide(second.requestId, { type: 'deny', reason: 'this file is not wanted' })
      await conversation.turnEnd(1)
      expect(await exists(scene, 'no.txt')).toBe(false)
    })

    it('asks for permission for each of several calls in one reply', async () => {
      await using scene = await openScene(program, person)
      const calls = ['yes.txt', 'no.txt'].map((file) => ({ ...make(file), params: program.asking }))
      await using conversation = await scene.conversation([{ calls }, { text: 'as you wish' }], 'ask')
      for (const number of [1, 2]) {
        const question = await conversation.question(number)
        const isWanted = JSON.stringify(question.input).includes('yes.txt')
        conversation.decide(
          question.requestId,
          isWanted ? { type: 'allow' } : { type: 'deny', reason: 'not wanted' },
        )
      }
      await conversation.turnEnd(1)
      expect(await exists(scene, 'yes.txt')).toBe(true)
      expect(await exists(scene, 'no.txt')).toBe(false)
    })

    it('answers each message separately, also those sent during a turn', async () => {
      await using scene = await openScene(program, person)
      await using conversation = await scene.conversation([{ text: 'first', delayMs: 500 }])
      conversation.say(script([{ text: 'second' }]))
      conversation.say(script([commit('three.txt'), { text: 'third' }]))
      for (const [at, text] of ['first', 'second', 'third'].entries())
        expect(await conversation.turnEnd(at + 1)).toEqual({ type: 'done', text })
      expect(await exists(scene, 'three.txt')).toBe(true)
    })

    it("uses Muster's tools without asking for permission", async () => {
      await using scene = await openScene(program, person)
      await using tools = await startToolServer()
      const steps = [{ tool: { name: 'note', input: { text: 'it works' } } }, { text: 'noted' }]
      const prompt = script(steps)
      await using conversation = await scene.start({ prompt, permissions: 'ask', mcp: tools.access })
      expect(await conversation.turnEnd(1)).toEqual({ type: 'done', text: 'noted' })
      expect(tools.notes).toEqual(['it works'])
    })

    it('recovers from one failure of its service', async () => {
      await using scene = await openScene(program, person)
      await using conversation = await scene.conversation([{ text: 'at last', error: { status: 503 } }])
      expect(await conversation.turnEnd(1)).toEqual({ type: 'done', text: 'at last' })
    })

    it('soon reports that its login is rejected', async () => {
      await using scene = await openScene(program, person)
      await using conversation = await scene.conversation([
        { text: 'never', error: { status: 401, times: 1000 } },
      ])
      expect(await conversation.turnEnd(1)).toMatchObject({ type: 'unready' })
    })

    it('reports that it is out of quota, and until when if its service says so', async () => {
      await using scene = await openScene(program, person)
      const before = Date.now()
      await using conversation = await scene.conversation([{ text: 'too late', error: program.limit }])
      const outcome = await conversation.turnEnd(1)
      expect(outcome.type).toBe('limited')
      const { resetsAt } = outcome as Extract<TurnOutcome, { type: 'limited' }>
      expect(resetsAt !== undefined).toBe(program.limitReportedMs !== undefined)
      if (resetsAt === undefined || program.limitReportedMs === undefined) return
      expect(Date.parse(resetsAt)).toBeGreaterThan(before)
      // Reported in whole seconds.
      expect(Date.parse(resetsAt)).toBeLessThanOrEqual(Date.now() + program.limitReportedMs + 1000)
    })

    it('resumes a conversation whose first turn hit a limit', async () => {
      await using scene = await openScene(program, person)
      const resume = await scene.oneTurn(script([{ text: 'too late', error: program.limit }]))
      await using conversation = await scene.start({
        prompt: script([{ text: 'Here I am.' }]),
        resume,
        mayBeginAnew: true,
      })
      expect(await conversation.turnEnd(1)).toEqual({ type: 'done', text: 'Here I am.' })
    })
  })
}

/** Creates a file in a way that programs do not recognise as an edit, because some allow edits. */
function make(file: string): { readonly shell: string } {
  return { shell: `dd if=README.md of=${file} status=none` }
}

type Scene = AsyncDisposable & {
  readonly model: ModelServer
  readonly repository: TestRepository
  start(part: Partial<ConversationRequest> & { readonly prompt: string }): Promise<ProgramConversation>
  conversation(steps: readonly Step[], permissions?: 'ask' | 'bypass'): Promise<ProgramConversation>
  /** Runs one turn, lets the program exit, and returns the program's ID of the conversation. */
  oneTurn(prompt: string): Promise<string>
}

async function openScene(program: AgentProgram, person: Person): Promise<Scene> {
  const { model, home } = person
  const stack = new AsyncDisposableStack()
  const repository = stack.use(await testRepository())
  const session: TemporaryDirectory = stack.use(await temporaryDirectory())
  await repository.git('config', 'user.name', 'Ada')
  await repository.git('config', 'user.email', 'ada@example.com')
  const start: Scene['start'] = (part) =>
    startConversation({
      provider: program.createProvider(),
      agent: {
        env: program.environment(model.url),
        ...(program.model === undefined ? {} : { model: program.model }),
      },
      environment: home.environment,
      treeDirectory: repository.path,
      sessionDirectory: session.path,
      permissions: 'bypass',
      ...part,
    })
  return {
    model,
    repository,
    start,
    conversation: (steps, permissions = 'bypass') => start({ prompt: script(steps), permissions }),
    async oneTurn(prompt) {
      await using conversation = await start({ prompt })
      await conversation.turnEnd(1)
      const { providerSessionId } = await conversation.session()
      await conversation.end()
      return providerSessionId
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

function saidIn(messages: readonly { readonly text: string }[], text: string): boolean {
  return messages.some((message) => message.text.includes(text))
}

async function exists(scene: Scene, file: string): Promise<boolean> {
  return access(join(scene.repository.path, file)).then(
    () => true,
    () => false,
  )
}
