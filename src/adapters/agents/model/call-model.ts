import { readFile } from 'node:fs/promises'
import { failure, type Result, success } from '../../../domain/result.ts'
import { answerFormatOf } from './answer-format.ts'
import { askModel } from './ask-model.ts'
import { type CallSettings, requireCallSettings } from './call-settings.ts'
import { modelInstructions } from './model-instructions.ts'
import { costOf } from './model-price.ts'
import { type OpenedModel, openModel } from './open-model.ts'

/** The program behind the model provider: asks a model the question in the prompt file and prints its answer. */
const MAX_REASON = 1_000

// What a service does not support is told by its answer; standard error is for the one reason of a failure.
globalThis.AI_SDK_LOG_WARNINGS = false
process.exitCode = await callModel(requireCallSettings(process.argv[2] ?? ''), process.env)

async function callModel(settings: CallSettings, environment: NodeJS.ProcessEnv): Promise<number> {
  const opened = openModel(settings, environment)
  if (!opened.ok) return complain(opened.failure)
  const answered = await answer(opened.value, settings, environment)
  if (!answered.ok) return complain(withoutKey(answered.failure, opened.value))
  print({ ...answered.value, type: 'result' })
  return 0
}

async function answer(
  opened: OpenedModel,
  { timeLimitMs }: CallSettings,
  environment: NodeJS.ProcessEnv,
): Promise<Result<object, string>> {
  const { MUSTER_ROLE: role = '', MUSTER_PROMPT_FILE: promptFile = '' } = environment
  const format = answerFormatOf(role)
  if (format === undefined) return failure(`a model cannot be a ${role}`)
  const prompt = await readFile(promptFile, 'utf8')
  const { provider, model } = opened.source
  const tell = (text: string): void => print({ type: 'text', text: withoutKey(text, opened) })
  tell(`asking ${model} of ${provider}`)
  const signal = AbortSignal.timeout(timeLimitMs)
  const question = { prompt, instructions: modelInstructions(role, format), format }
  const asked = await askModel({ opened, tell }, question, signal)
  if (signal.aborted) return failure(`${provider} gave no answer within ${timeLimitMs / 1_000} s`)
  if (!asked.ok) return asked
  const { text, usage, isCut } = asked.value
  if (usage !== undefined) print({ type: 'usage', ...usage, costUsd: costOf(opened.source, usage) })
  const read = format.read(text)
  if (read.ok) return success(read.value)
  const cut = isCut ? ' (it was cut off: it reached the longest answer the model gives)' : ''
  return failure(`the answer does not fit${cut}: ${read.failure}; it begins: ${text.slice(0, 200)}`)
}

function print(line: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

/** Services quote what they did not like. */
function withoutKey(text: string, { key }: OpenedModel): string {
  return key === undefined ? text : text.replaceAll(key, '(key)')
}

function complain(reason: string): number {
  const line = reason.replace(/\s+/g, ' ').trim()
  const shown = line.length > MAX_REASON ? `${line.slice(0, MAX_REASON)}...` : line
  process.stderr.write(`model: ${shown}\n`)
  return 1
}
