import { modelOf } from '../admission/admit.ts'
import type { AgentSpec } from './agent-spec.ts'

type Modelled = Pick<AgentSpec, 'name' | 'provider' | 'model' | 'modelSource'>

/** The families of models, and the words in a model's name that give each away: makers and names of models. */
const FAMILIES: Readonly<Record<string, RegExp>> = {
  anthropic: /^(anthropic|claude|opus|sonnet|haiku)/,
  openai: /^(openai|gpt|chatgpt|codex|o\d+$)/,
  google: /^(google|gemini|gemma)/,
  qwen: /^(qwen|qwq|qvq|alibaba)/,
  deepseek: /^deepseek/,
  mistral: /^(mistral|mixtral|ministral|magistral|codestral|devstral|pixtral)/,
  meta: /^(meta$|llama|codellama)/,
  xai: /^(xai$|grok)/,
  moonshot: /^(moonshot|kimi)/,
  zhipu: /^(zhipu|zai$|glm|chatglm)/,
  minimax: /^minimax/,
  cohere: /^(cohere|command$)/,
  amazon: /^(amazon|nova$)/,
  microsoft: /^(microsoft|phi\d*$)/,
}

/** What people call the models of a family, if not by the name of the family. */
const TITLES: Readonly<Record<string, string>> = {
  anthropic: 'Claude',
  openai: 'GPT',
  google: 'Gemini',
  qwen: 'Qwen',
  deepseek: 'DeepSeek',
  mistral: 'Mistral',
  meta: 'Llama',
  xai: 'Grok',
  moonshot: 'Kimi',
  zhipu: 'GLM',
  minimax: 'MiniMax',
  cohere: 'Command',
  amazon: 'Nova',
  microsoft: 'Phi',
}

export function familyTitle(family: string): string {
  return TITLES[family] ?? family
}

/** The programs that use the models of their maker unless their configuration names another one. */
const FAMILY_OF_PROGRAM: Readonly<Record<string, string>> = {
  'claude-code': 'anthropic',
  codex: 'openai',
  gemini: 'google',
}

/**
 * The model family that an agent uses: models of one family make the same mistakes, so they are poor judges of each
 * other. Undefined if neither its model nor its program tells.
 */
export function familyOf(agent: Omit<Modelled, 'name'>): string | undefined {
  const model = modelOf(agent)
  const family = model === undefined ? undefined : familyOfModel(model)
  return family ?? familyOfService(agent.modelSource?.provider) ?? FAMILY_OF_PROGRAM[agent.provider]
}

/** A service that offers only the models of its maker. */
function familyOfService(service: string | undefined): string | undefined {
  return service === 'anthropic' || service === 'openai' ? service : undefined
}

/**
 * Reads a name such as `gpt-5`, `openrouter/anthropic/claude-opus-4` or `us.anthropic.claude-sonnet-4:0`. The part after
 * the last slash is the model; what is before it only names who offers it, so it counts only if the model isn't known.
 */
function familyOfModel(name: string): string | undefined {
  const parts = name.toLowerCase().split('/').toReversed()
  for (const part of parts) {
    for (const word of part.split(/[^a-z0-9]+/)) {
      const found = Object.entries(FAMILIES).find(([, pattern]) => pattern.test(word))
      if (found !== undefined) return found[0]
    }
  }
  return undefined
}

export function isOtherFamily(one: Modelled, two: Modelled): boolean {
  const [first, second] = [familyOf(one), familyOf(two)]
  return first !== undefined && second !== undefined && first !== second
}

/**
 * How alike two agents judge. 0: their models are of different families. 1: their programs differ, and nothing says that
 * their models are of the same family. 2: two agents with the same program or family. 3: the same agent.
 */
export function likenessOf(one: Modelled, two: Modelled): number {
  if (one.name === two.name) return 3
  if (isOtherFamily(one, two)) return 0
  const isSameFamily = familyOf(one) !== undefined && familyOf(one) === familyOf(two)
  return isSameFamily || one.provider === two.provider ? 2 : 1
}
