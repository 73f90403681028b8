import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { answerModelRequest } from './answer-model-request.ts'
import { AskCounts } from './ask-counts.ts'
import { objectOf, objectsOf, textOf } from './json-object.ts'
import type { PostedScript } from './plan-reply.ts'
import { type ModelRequest, RequestLog } from './request-log.ts'
import { requireSteps, type Step } from './step.ts'
import { inputTokensOf } from './token-usage.ts'

export type ModelServer = {
  /** Without a trailing slash. */
  readonly url: string
  /** The latest requests, oldest first. */
  requests(): readonly ModelRequest[]
  /** Waits for the first request, also an earlier one, for which this is true. */
  waitFor(isWanted: (request: ModelRequest) => boolean, signal: AbortSignal): Promise<ModelRequest>
  /** Plays these steps for prompts that contain the text and no script. */
  play(match: string, steps: readonly Step[]): void
}

/** A model server on loopback, in the formats of four services. The prompts script its replies. */
export async function startModelServer(): Promise<ModelServer & AsyncDisposable> {
  const posted: PostedScript[] = []
  const needs = { posted, counts: new AskCounts(), log: new RequestLog() }
  const play = (match: string, steps: unknown) => {
    posted.unshift({ match, steps: requireSteps(steps) })
  }
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy()
      else answerJson(response, 500, { error: { message: String(error) } })
    })
  })
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const path = new URL(request.url ?? '/', 'http://model').pathname
    if (request.method !== 'POST') return answerPlain(response, path)
    const body = await json(request)
    if (path.endsWith('/count_tokens'))
      return answerJson(response, 200, { input_tokens: inputTokensOf(body) })
    if (path.endsWith(':countTokens')) return answerJson(response, 200, { totalTokens: inputTokensOf(body) })
    if (path === '/scripts') {
      for (const entry of objectsOf(body)) play(textOf(entry['match']), entry['steps'])
      return answerJson(response, 200, { posted: posted.length })
    }
    await answerModelRequest(needs, { path, body: objectOf(body) }, response)
  }
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => needs.log.requests(),
    waitFor: (isWanted, signal) => needs.log.waitFor(isWanted, signal),
    play,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

function answerPlain(response: ServerResponse, path: string): void {
  const model = { id: 'scripted', object: 'model', created: 0, owned_by: 'muster' }
  const isKnown = path === '/' || path.endsWith('/models')
  const body = { object: 'list', data: [model], models: [] }
  answerJson(response, isKnown ? 200 : 404, isKnown ? body : { error: { message: `nothing at ${path}` } })
}

function answerJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
