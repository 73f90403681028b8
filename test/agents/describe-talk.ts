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
import { type ProgramTalk, startTalk, type TalkRequest } from './program-talk.ts'
import { startToolServer } from './tool-server.ts'

const PATIENCE_MS = 60_000

/** The program, its provider and the scripted model alone: what fails here is not the daemon's fault. */
export function describeTalk(name: string, program: AgentProgram): void {
  describe(`${name}, spoken to by its provider`, () => {
    let person: Person

    beforeAll(async () => {
      person = await openPerson(program)
    })
    afterAll(async () => {
      await person[Symbol.asyncDispose]()
    })

    it('commits, and leaves by itself at the end of its input', async () => {
      await using scene = await openScene(program, person)
      await using talk = await scene.talk([commit('hello.txt'), { text: 'It is done.' }])
      expect(await talk.turnEnd(1)).toEqual({ type: 'done', text: 'It is done.' })
      expect(await scene.repository.git('show', 'HEAD:hello.txt')).toBe('hello.txt')
      expect(await talk.end()).toBe(0)
    })

    it('remembers the conversation in a new process', async () => {
      await using scene = await openScene(program, person)
      const first = script([commit('one.txt'), { text: 'The first part is done.' }])
      const session = await scene.oneTurn(first)
      await using talk = await scene.start({ prompt: script([{ text: 'I remember.' }]), resume: session })
      expect(await talk.turnEnd(1)).toEqual({ type: 'done', text: 'I remember.' })
      const asked = scene.model.requests().findLast(({ messages }) => saidIn(messages, 'I remember.'))
      expect(asked && saidIn(asked.messages, first)).toBe(true)
      expect(asked && saidIn(asked.messages, 'The first part is done.')).toBe(true)
    })

    it('stops a turn that hangs, and answers what is said next', async () => {
      await using scene = await openScene(program, person)
      await using talk = await scene.talk([{ text: 'one moment please', hang: true }])
      await scene.model.waitFor(
        ({ messages }) => saidIn(messages, 'one moment please'),
        AbortSignal.timeout(PATIENCE_MS),
      )
      talk.interrupt()
      expect(await talk.turnEnd(1)).toEqual({ type: 'interrupted' })
      talk.say(script([{ text: 'Here I am.' }]))
      expect(await talk.turnEnd(2)).toEqual({ type: 'done', text: 'Here I am.' })
    })

    it('asks before it acts, and does only what is allowed', async () => {
      await using scene = await openScene(program, person)
      const params = program.asking
      await using talk = await scene.talk(
        [{ ...commit('yes.txt'), params }, { ...commit('no.txt'), params }, { text: 'as you wish' }],
        'ask',
      )
      const first = await talk.question(1)
      expect(JSON.stringify(first.input)).toContain('yes.txt')
      talk.decide(first.requestId, { type: 'allow' })
      const second = await talk.question(2)
      expect(JSON.stringify(second.input)).toContain('no.txt')
      expect(await exists(scene, 'yes.txt')).toBe(true)
      talk.decide(second.requestId, { type: 'deny', reason: 'this file is not wanted' })
      await talk.turnEnd(1)
      expect(await exists(scene, 'no.txt')).toBe(false)
    })

    it('asks about each of several things at once', async () => {
      await using scene = await openScene(program, person)
      const calls = ['yes.txt', 'no.txt'].map((file) => ({ ...make(file), params: program.asking }))
      await using talk = await scene.talk([{ calls }, { text: 'as you wish' }], 'ask')
      for (const number of [1, 2]) {
        const question = await talk.question(number)
        const isWanted = JSON.stringify(question.input).includes('yes.txt')
        talk.decide(question.requestId, isWanted ? { type: 'allow' } : { type: 'deny', reason: 'not wanted' })
      }
      await talk.turnEnd(1)
      expect(await exists(scene, 'yes.txt')).toBe(true)
      expect(await exists(scene, 'no.txt')).toBe(false)
    })

    it('answers each message on its own, also those that come during a turn', async () => {
      await using scene = await openScene(program, person)
      await using talk = await scene.talk([{ text: 'first', delayMs: 500 }])
      talk.say(script([{ text: 'second' }]))
      talk.say(script([commit('three.txt'), { text: 'third' }]))
      for (const [at, text] of ['first', 'second', 'third'].entries())
        expect(await talk.turnEnd(at + 1)).toEqual({ type: 'done', text })
      expect(await exists(scene, 'three.txt')).toBe(true)
    })

    it("uses Muster's tools without asking", async () => {
      await using scene = await openScene(program, person)
      await using tools = await startToolServer()
      const steps = [{ tool: { name: 'note', input: { text: 'it works' } } }, { text: 'noted' }]
      const prompt = script(steps)
      await using talk = await scene.start({ prompt, permissions: 'ask', mcp: tools.access })
      expect(await talk.turnEnd(1)).toEqual({ type: 'done', text: 'noted' })
      expect(tools.notes).toEqual(['it works'])
    })

    it('gets over a service that fails once', async () => {
      await using scene = await openScene(program, person)
      await using talk = await scene.talk([{ text: 'at last', error: { status: 503 } }])
      expect(await talk.turnEnd(1)).toEqual({ type: 'done', text: 'at last' })
    })

    it('fails soon when its login is not accepted', async () => {
      await using scene = await openScene(program, person)
      await using talk = await scene.talk([{ text: 'never', error: { status: 401, times: 1000 } }])
      expect(await talk.turnEnd(1)).toMatchObject({ type: 'failed' })
    })

    it('says that it is out of quota, and until when if its service tells', async () => {
      await using scene = await openScene(program, person)
      const before = Date.now()
      await using talk = await scene.talk([{ text: 'too late', error: program.limit }])
      const outcome = await talk.turnEnd(1)
      expect(outcome.type).toBe('limited')
      const { resetsAt } = outcome as Extract<TurnOutcome, { type: 'limited' }>
      expect(resetsAt !== undefined).toBe(program.limitToldMs !== undefined)
      if (resetsAt === undefined || program.limitToldMs === undefined) return
      expect(Date.parse(resetsAt)).toBeGreaterThan(before)
      // Told in whole seconds.
      expect(Date.parse(resetsAt)).toBeLessThanOrEqual(Date.now() + program.limitToldMs + 1000)
    })

    it('goes on with a conversation whose first turn was cut off by a limit', async () => {
      await using scene = await openScene(program, person)
      const resume = await scene.oneTurn(script([{ text: 'too late', error: program.limit }]))
      await using talk = await scene.start({
        prompt: script([{ text: 'Here I am.' }]),
        resume,
        mayBeginAnew: true,
      })
      expect(await talk.turnEnd(1)).toEqual({ type: 'done', text: 'Here I am.' })
    })
  })
}

/** Makes a file in a way that programs do not take for an edit, which some would let pass. */
function make(file: string): { readonly shell: string } {
  return { shell: `dd if=README.md of=${file} status=none` }
}

type Scene = AsyncDisposable & {
  readonly model: ModelServer
  readonly repository: TestRepository
  start(part: Partial<TalkRequest> & { readonly prompt: string }): Promise<ProgramTalk>
  talk(steps: readonly Step[], permissions?: 'ask' | 'bypass'): Promise<ProgramTalk>
  /** Has one turn and lets the program leave; gives the program's name for the conversation. */
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
    startTalk({
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
    talk: (steps, permissions = 'bypass') => start({ prompt: script(steps), permissions }),
    async oneTurn(prompt) {
      await using talk = await start({ prompt })
      await talk.turnEnd(1)
      const { providerSessionId } = await talk.session()
      await talk.end()
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
