import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ModelSource } from '../../../domain/agent/agent-spec.ts'
import { failure, type Result, success } from '../../../domain/result.ts'
import type { LaunchFailure, LaunchPlan, LaunchRequest } from '../../../ports/agent-provider.ts'
import { findUnusableVariable, launchEnvironment } from '../shared/launch-environment.ts'
import { MODEL_ROLES } from './answer-format.ts'
import type { CallSettings } from './call-settings.ts'

export type LaunchOptions = { readonly nodePath: string; readonly timeLimitMs: number }

/** The program lies beside this file, as source or compiled, whichever this file is. */
const PROGRAM = fileURLToPath(new URL(`./call-model${path.extname(import.meta.url)}`, import.meta.url))
const OWN_PACKAGE = fileURLToPath(new URL('../../../../', import.meta.url))
/** Installed, the packages that the program is made of lie beside ours and not in it. */
const PACKAGES = path.resolve(createRequire(import.meta.url).resolve('ai/package.json'), '../..')

/** Starts the program that makes the one call. Keys are in its environment alone. */
export async function planModelLaunch(
  options: LaunchOptions,
  request: LaunchRequest,
): Promise<Result<LaunchPlan, LaunchFailure>> {
  if (request.mode === 'interactive') {
    return failure({ type: 'mode-unsupported', mode: request.mode, provider: 'model' })
  }
  const source = request.agent.modelSource
  if (source === undefined) {
    return misconfigured('modelSource', 'is absent: name a model under "models" and bind a role to it')
  }
  const problem = problemOf(source)
  if (problem !== undefined) return misconfigured('modelSource', problem)
  if (!MODEL_ROLES.includes(request.role)) {
    return misconfigured('roles', `a model without an agent program can be ${MODEL_ROLES.join(' or ')} only`)
  }
  const environment = { ...proxyUse(source), ...launchEnvironment(request) }
  const unusable = findUnusableVariable(environment)
  if (unusable !== undefined) {
    return misconfigured('env', `has a variable that cannot be set: ${JSON.stringify(unusable)}`)
  }
  const settings: CallSettings = { ...source, timeLimitMs: options.timeLimitMs }
  return success({
    command: [options.nodePath, PROGRAM, JSON.stringify(settings)],
    environment,
    reads: [OWN_PACKAGE, PACKAGES],
  })
}

function problemOf(source: ModelSource): string | undefined {
  if (source.model.trim() === '') return 'names no model'
  if (source.baseUrl !== undefined && !isWebAddress(source.baseUrl)) {
    return 'has a baseUrl that is no address: it begins with http:// or https:// and holds no password'
  }
  const isPlaced = source.provider === 'anthropic' || source.provider === 'openai'
  if (isPlaced || source.baseUrl !== undefined || source.provider === 'openai-compatible') return undefined
  return `has no baseUrl, which the provider ${source.provider} needs`
}

function isWebAddress(text: string): boolean {
  const address = URL.parse(text)
  return address !== null && /^https?:$/.test(address.protocol) && address.username + address.password === ''
}

/** Node takes no notice of proxies unless it is told to, and then sends calls to this very machine there as well. */
function proxyUse({ baseUrl }: ModelSource): Readonly<Record<string, string>> {
  const host = baseUrl === undefined ? '' : (URL.parse(baseUrl)?.hostname ?? '')
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(host) ? {} : { NODE_USE_ENV_PROXY: '1' }
}

function misconfigured(field: string, problem: string): Result<never, LaunchFailure> {
  return failure({ type: 'agent-misconfigured', field, problem })
}
