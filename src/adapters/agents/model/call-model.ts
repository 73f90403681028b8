import { readFile } from 'node:fs/promises'
import { failure, type Result, success } from '../../../domain/result.ts'
import { type AnswerFormat, answerFormatOf } from './answer-format.ts'
import { askModel } from './ask-model.ts'
import { type CallSettings, requireCallSettings } from './call-settings.ts'
import type { CallFault } from './describe-call-error.ts'
import { KEY_REJECTED_EXIT } from './model-key.ts'
import { costOf } from './model-price.ts'
import { type OpenedModel, openModel } from './open-model.ts'

/** The program of the model provider. Sends the prompt file to a model and prints its answer. */
const MAX_REASON = 1_000

// Standard error is only for the reason of a failure.
globalThis.AI_SDK_LOG_WARNINGS = false
process.exitCode = await callModel(requireCallSettings(process.argv[2] ?? ''), process.env)

async function callModel(settings: CallSettings, environment: NodeJS.ProcessEnv): Promise<number> {
  const opened = openModel(settings, environment)
  if (!opened.ok) return fail(opened.failure)
  const answered = await answer(opened.value, settings, environment)
  if (!answered.ok) {
    const { reason, isKeyRejected } = answered.failure
    const exitCode = fail(withoutKey(reason, opened.value))
    return isKeyRejected === true ? KEY_REJECTED_EXIT : exitCode
  }
  print({ ...answered.value, type: 'result' })
  return 0
}

async function answer(
  opened: OpenedModel,
  settings: CallSettings,
  environment: NodeJS.ProcessEnv,
): Promise<Result<object, Pick<CallFault, 'reason' | 'isKeyRejected'>>> {
  const { MUSTER_ROLE: role = '', MUSTER_PROMPT_FILE: promptFile = '' } = environment
  const { timeLimitMs } = settings
  const format = answerFormatOf(settings.answer)
  const prompt = await readFile(promptFile, 'utf8')
  const { provider, model } = opened.source
  const report = (text: string): void => print({ type: 'text', text: withoutKey(text, opened) })
  report(`asking ${model} of ${provider}`)
  const signal = AbortSignal.timeout(timeLimitMs)
  const question = { prompt, instructions: modelInstructions(role, format), format }
  const asked = await askModel({ opened, report }, question, signal)
  if (signal.aborted) return failure({ reason: `${provider} gave no answer within ${timeLimitMs / 1_000} s` })
  if (!asked.ok) return asked
  const { text, usage, isCut } = asked.value
  if (usage !== undefined) print({ type: 'usage', ...usage, costUsd: costOf(opened.source, usage) })
  const read = format.read(text)
  if (read.ok) return success(read.value)
  const cut = isCut ? " (it was cut off at the model's length limit)" : ''
  const reason = `the answer is invalid${cut}: ${read.failure}; it starts with: ${text.slice(0, 200)}`
  return failure({ reason })
}

/** Prompts are written for programs with tools and a terminal, but a model that is called directly has neither. */
function modelInstructions(role: string, format: AnswerFormat): string {
  return [
    `You are the ${role} of a software project. You are asked once and answer once.`,
    'You have no tools and cannot open files. The prompt contains everything you can know about the repository. If it',
    'asks you to look at something that it does not contain, judge by what it contains, and say so in your answer.',
    'If it asks you to print a line, that line is your answer: one JSON object with nothing before or after it. Include',
    'every field (use an empty string or list if you have nothing to say). The schema is:',
    JSON.stringify(format.schema),
  ].join('\n')
}

function print(line: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

/** A service may quote the key in its error message. */
function withoutKey(text: string, { key }: OpenedModel): string {
  return key === undefined ? text : text.replaceAll(key, '(key)')
}

function fail(reason: string): number {
  const line = reason.replace(/\s+/g, ' ').trim()
  const shown = line.length > MAX_REASON ? `${line.slice(0, MAX_REASON)}...` : line
  process.stderr.write(`model: ${shown}\n`)
  return 1
}
