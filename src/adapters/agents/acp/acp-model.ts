import { listAt, textAt, valueAt } from './acp-message.ts'

type ModelChoice =
  /** It is the one in use. */
  | { readonly type: 'chosen'; readonly model: string }
  | {
      readonly type: 'ask'
      readonly model: string
      readonly method: 'session/set_config_option' | 'session/set_model'
      readonly params: object
    }
  | { readonly type: 'impossible'; readonly model: string; readonly reason: string }

const MAX_NAMED = 12

/** How a program that told us of its session is asked for a model; nothing when none is asked for or told. */
export function findModelChoice(wished: string | undefined, session: unknown): ModelChoice | undefined {
  const option = listAt(session, 'configOptions').find(
    (candidate) => textAt(candidate, 'category') === 'model' || textAt(candidate, 'id') === 'model',
  )
  const models = valueAt(session, 'models')
  const current = textAt(option, 'currentValue') ?? textAt(models, 'currentModelId')
  if (wished === undefined) return current === undefined ? undefined : { type: 'chosen', model: current }
  if (wished === current) return { type: 'chosen', model: wished }
  const configId = textAt(option, 'id')
  const offered =
    configId === undefined
      ? listAt(models, 'availableModels').flatMap((model) => textAt(model, 'modelId') ?? [])
      : valuesOf(option)
  if (offered.length === 0) {
    return { type: 'impossible', model: wished, reason: 'the agent lets nobody choose its model' }
  }
  if (!offered.includes(wished)) {
    const names = offered.slice(0, MAX_NAMED).join(', ')
    const more = offered.length > MAX_NAMED ? ` and ${offered.length - MAX_NAMED} more` : ''
    const reason = `the agent does not offer the model ${wished}. It offers: ${names}${more}`.slice(0, 2_000)
    return { type: 'impossible', model: wished, reason }
  }
  if (configId === undefined) {
    return { type: 'ask', model: wished, method: 'session/set_model', params: { modelId: wished } }
  }
  return {
    type: 'ask',
    model: wished,
    method: 'session/set_config_option',
    params: { configId, value: wished },
  }
}

/** The values of an option, which may stand in groups. */
function valuesOf(option: unknown): readonly string[] {
  return listAt(option, 'options').flatMap((entry) => {
    const value = textAt(entry, 'value')
    return value === undefined ? valuesOf(entry) : [value]
  })
}
