import { jsonSchema, Output, streamText } from 'ai'
import { failure, type Result, success } from '../../../domain/result.ts'
import type { AnswerFormat } from './answer-format.ts'
import { type CallFault, describeCallError } from './describe-call-error.ts'
import type { TokenUsage } from './model-price.ts'
import type { OpenedModel } from './open-model.ts'

/** A longer text is not an answer. Even a thousand tasks would fit. */
const MAX_CHARACTERS = 1024 * 1024

export type Question = {
  readonly prompt: string
  readonly instructions: string
  readonly format: AnswerFormat
  /** Whether to ask the service to enforce the schema. */
  readonly withSchema: boolean
}

export type Reply = { readonly text: string; readonly usage?: TokenUsage; readonly isCut: boolean }

/**
 * Makes one call. The reply is read as a stream, because a model may think for longer than a connection may wait for
 * its first byte.
 */
export async function askOnce(
  opened: OpenedModel,
  question: Question,
  signal: AbortSignal,
): Promise<Result<Reply, CallFault>> {
  const { format, withSchema, prompt, instructions } = question
  const output = withSchema
    ? { output: Output.object({ schema: jsonSchema<object>(format.schema), name: 'answer' }) }
    : {}
  const { stream } = streamText({
    model: opened.model,
    instructions,
    prompt,
    maxRetries: 0,
    abortSignal: signal,
    // The stream delivers errors too. Without this callback, they would also be printed.
    onError: () => undefined,
    ...output,
  })
  let text = ''
  let reply: Reply | undefined
  try {
    for await (const part of stream) {
      if (part.type === 'error') return failure(describeCallError(part.error, opened, Date.now()))
      if (part.type === 'text-delta') text += part.text
      if (text.length > MAX_CHARACTERS) return failure(TOO_LONG)
      if (part.type === 'finish') {
        reply = { text, isCut: part.finishReason === 'length', ...usageOf(part.totalUsage) }
      }
    }
  } catch (error) {
    return failure(describeCallError(error, opened, Date.now()))
  }
  return success(reply ?? { text, isCut: true })
}

const TOO_LONG: CallFault = { reason: 'the answer is longer than 1 MiB', isTemporary: false }

/** A self-hosted server may not report usage. */
function usageOf(usage: {
  readonly inputTokens: number | undefined
  readonly outputTokens: number | undefined
}): Pick<Reply, 'usage'> {
  const { inputTokens, outputTokens } = usage
  return inputTokens === undefined || outputTokens === undefined
    ? {}
    : { usage: { inputTokens, outputTokens } }
}
