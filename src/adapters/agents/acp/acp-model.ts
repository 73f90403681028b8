import { listAt, textAt, valueAt } from './acp-message.ts'

type ModelChoice =
  /** The model is already in use. */
  | { readonly type: 'chosen'; readonly model: string }
  | {
      readonly type: 'ask'
      readonly model: string
      readonly method: 'session/set_config_option' | 'session/set_model'
      readonly params: object
    }
  | { readonly type: 'impossible'; readonly model: string; readonly reason: string }

const MAX_NAMED = 12

/** How to request a model from the program; undefined if none is requested and the program reports none. */
export function findModelChoice(requested: string | undefined, session: unknown): ModelChoice | undefined {
  const option = listAt(session, 'configOptions').find(
    (candidate) => textAt(candidate, 'category') === 'model' || textAt(candidate, 'id') === 'model',
  )
  const models = valueAt(session, 'models')
  const current = textAt(option, 'currentValue') ?? textAt(models, 'currentModelId')
  if (requested === undefined) return current === undefined ? undefined : { type: 'chosen', model: current }
  if (requested === current) return { type: 'chosen', model: requested }
  const configId = textAt(option, 'id')
  const offered =
    configId === undefined
      ? listAt(models, 'availableModels').flatMap((model) => textAt(model, 'modelId') ?? [])
      : valuesOf(option)
  if (offered.length === 0) {
    return { type: 'impossible', model: requested, reason: 'the agent does not support choosing a model' }
  }
  if (!offered.includes(requested)) {
    const names = offered.slice(0, MAX_NAMED).join(', ')
    const more = offered.length > MAX_NAMED ? ` and ${offered.length - MAX_NAMED} more` : ''
    const reason = `the agent does not offer the model ${requested}. It offers: ${names}${more}`.slice(
      0,
      2_000,
    )
    return { type: 'impossible', model: requested, reason }
  }
  if (configId === undefined) {
    return { type: 'ask', model: requested, method: 'session/set_model', params: { modelId: requested } }
  }
  return {
    type: 'ask',
    model: requested,
    method: 'session/set_config_option',
    params: { configId, value: requested },
  }
}

/** The values of an option, which may be grouped. */
function valuesOf(option: unknown): readonly string[] {
  return listAt(option, 'options').flatMap((entry) => {
    const value = textAt(entry, 'value')
    return value === undefined ? valuesOf(entry) : [value]
  })
}
