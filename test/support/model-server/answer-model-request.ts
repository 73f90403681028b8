import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { anthropicWire } from './anthropic-wire.ts'
import type { AskCounts } from './ask-counts.ts'
import { chatWire } from './chat-wire.ts'
import { openEventStream } from './event-stream.ts'
import { geminiWire } from './gemini-wire.ts'
import { textOf } from './json-object.ts'
import { type PlannedReply, type PostedScript, planReply } from './plan-reply.ts'
import type { Reply } from './reply.ts'
import type { RequestLog } from './request-log.ts'
import { responsesWire } from './responses-wire.ts'
import type { Asked, Wire } from './wire.ts'

type Needs = {
  readonly posted: readonly PostedScript[]
  readonly counts: AskCounts
  readonly log: RequestLog
}

const WIRES: readonly Wire[] = [anthropicWire, responsesWire, chatWire, geminiWire]

/** Answers in the format of the request. An invalid script is answered as a bad request. */
export async function answerModelRequest(
  needs: Needs,
  asked: Asked,
  response: ServerResponse,
): Promise<void> {
  const wire = WIRES.find((candidate) => candidate.matches(asked.path))
  if (wire === undefined) return refuse(response, 404, {}, { error: { message: `nothing at ${asked.path}` } })
  const conversation = wire.read(asked.body)
  const record = (step: number, status: number) =>
    needs.log.add({
      wire: wire.name,
      model: modelOf(asked),
      messages: conversation.messages,
      tools: conversation.tools.map((tool) => `${tool.namespace ?? ''}${tool.name}`),
      step,
      status,
    })
  let planned: PlannedReply
  try {
    planned = planReply(needs, conversation)
  } catch (error) {
    record(0, 400)
    return refuse(response, 400, {}, wire.error(400, String(error)))
  }
  const { place, refusal, delayMs } = planned
  record(place.step, refusal?.status ?? 200)
  if (refusal !== undefined) {
    const body = refusal.body ?? wire.error(refusal.status, 'scripted error')
    return refuse(response, refusal.status, refusal.headers, body)
  }
  if (delayMs > 0) await sleep(delayMs)
  await send(wire, asked, planned.reply, response)
}

/** The model is in the body, except for one service that has it in the path. */
function modelOf(asked: Asked): string {
  return textOf(asked.body['model'] ?? /\/models\/([^/:]+):/.exec(asked.path)?.[1])
}

async function send(wire: Wire, asked: Asked, reply: Reply, response: ServerResponse): Promise<void> {
  const pause = async () => {
    if (!reply.hang) return
    if (!response.destroyed) await once(response, 'close')
    throw new Error('the client disconnected, as expected')
  }
  if (wire.isStreamed(asked)) {
    await wire.stream(asked, reply, openEventStream(response), pause)
    response.end()
    return
  }
  await pause()
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(wire.whole(asked, reply)))
}

function refuse(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: unknown,
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}
