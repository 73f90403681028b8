import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModel } from 'ai'
import type { ModelSource } from '../../../domain/agent/agent-spec.ts'
import { assertNever } from '../../../domain/assert-never.ts'
import { failure, type Result, success } from '../../../domain/result.ts'
import { COMPATIBLE_KEYS, type Environment, firstSet, REQUIRED_KEYS } from './model-key.ts'

/** A model that is ready to be called. */
export type OpenedModel = {
  readonly model: LanguageModel
  /** With the address from the environment, if it has one. */
  readonly source: ModelSource
  /** Must never be shown. */
  readonly key?: string
  /** The variable of the key, for error messages. */
  readonly keyVariable: string
  /** Whether the service is known to enforce a schema. Other services may refuse one. */
  readonly keepsSchema: boolean
}

/** Opens a model with the key in the environment, or describes what is missing. */
export function openModel(source: ModelSource, environment: Environment): Result<OpenedModel, string> {
  switch (source.provider) {
    case 'anthropic':
      return openAnthropic(source, environment)
    case 'openai':
      return openOpenAI(source, environment)
    case 'openai-compatible': {
      const [keyVariable = COMPATIBLE_KEYS[0], key] = firstSet(environment, COMPATIBLE_KEYS)
      return openCompatible(placed(source, environment['OPENAI_BASE_URL']), keyVariable, key)
    }
    case 'scripted':
      return openCompatible(source, COMPATIBLE_KEYS[0], undefined)
    default:
      return assertNever(source.provider)
  }
}

function openAnthropic(given: ModelSource, environment: Environment): Result<OpenedModel, string> {
  const source = placed(given, environment['ANTHROPIC_BASE_URL'])
  const keyVariable = REQUIRED_KEYS.anthropic
  const [, apiKey] = firstSet(environment, [keyVariable])
  if (apiKey === undefined) return absentKey('Anthropic', keyVariable)
  const baseURL = source.baseUrl === undefined ? {} : { baseURL: versioned(source.baseUrl) }
  const model = createAnthropic({ apiKey, ...baseURL })(source.model)
  return success({ model, source, key: apiKey, keyVariable, keepsSchema: true })
}

function openOpenAI(given: ModelSource, environment: Environment): Result<OpenedModel, string> {
  const source = placed(given, environment['OPENAI_BASE_URL'])
  const keyVariable = REQUIRED_KEYS.openai
  const [, apiKey] = firstSet(environment, [keyVariable])
  if (apiKey === undefined) return absentKey('OpenAI', keyVariable)
  const baseURL = source.baseUrl === undefined ? {} : { baseURL: versioned(source.baseUrl) }
  const model = createOpenAI({ apiKey, ...baseURL })(source.model)
  return success({ model, source, key: apiKey, keyVariable, keepsSchema: true })
}

function openCompatible(
  source: ModelSource,
  keyVariable: string,
  key: string | undefined,
): Result<OpenedModel, string> {
  if (source.baseUrl === undefined) {
    return failure(`provider ${source.provider} needs a baseUrl, such as http://127.0.0.1:11434/v1`)
  }
  const connect = createOpenAICompatible({
    name: source.provider,
    baseURL: versioned(source.baseUrl),
    supportsStructuredOutputs: true,
    includeUsage: true,
    ...(key === undefined ? {} : { apiKey: key }),
  })
  const model = connect(source.model)
  return success({ model, source, keyVariable, keepsSchema: false, ...(key === undefined ? {} : { key }) })
}

/** The configured address takes precedence over the environment. */
function placed(source: ModelSource, fromEnvironment: string | undefined): ModelSource {
  const address = fromEnvironment?.trim() ?? ''
  return source.baseUrl !== undefined || address === '' ? source : { ...source, baseUrl: address }
}

/** Adds the usual /v1 to an address without a path, because conventions differ on whether to write it. */
function versioned(baseUrl: string): string {
  const bare = baseUrl.replace(/\/+$/, '')
  return /^https?:\/\/[^/]+$/.test(bare) ? `${bare}/v1` : bare
}

function absentKey(service: string, variable: string): Result<never, string> {
  return failure(
    `there is no key for ${service}: set ${variable} in the shell, then restart the daemon (muster shutdown)`,
  )
}
