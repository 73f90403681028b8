import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ModelSource } from '../../../domain/agent/agent-spec.ts'
import { failure, type Result, success } from '../../../domain/result.ts'
import type { LaunchFailure, LaunchPlan, LaunchRequest } from '../../../ports/agent-provider.ts'
import { launchEnvironment, misconfigured } from '../shared/launch-environment.ts'
import type { CallSettings } from './call-settings.ts'

export type LaunchOptions = { readonly nodePath: string; readonly timeLimitMs: number }

/** The program is next to this file, as source or compiled like this file. */
const PROGRAM = fileURLToPath(new URL(`./call-model${path.extname(import.meta.url)}`, import.meta.url))
const OWN_PACKAGE = fileURLToPath(new URL('../../../../', import.meta.url))
/** In an installation, the program's packages are next to ours, not inside it. */
const PACKAGES = path.resolve(createRequire(import.meta.url).resolve('ai/package.json'), '../..')

/** Plans the program that makes the call. Keys are only in its environment. */
export async function planModelLaunch(
  options: LaunchOptions,
  request: LaunchRequest,
): Promise<Result<LaunchPlan, LaunchFailure>> {
  if (request.mode === 'interactive') {
    return failure({ type: 'mode-unsupported', mode: request.mode, provider: 'model' })
  }
  const source = request.agent.modelSource
  if (source === undefined) {
    return misconfigured('modelSource', 'is missing: add a model under "models" and bind a role to it')
  }
  const problem = problemOf(source)
  if (problem !== undefined) return misconfigured('modelSource', problem)
  const { role, answer } = request
  if (answer === undefined) {
    return misconfigured('roles', `a model can't take the role ${role}, which needs an agent program`)
  }
  const environment = launchEnvironment(request, proxyUse(source))
  if (!environment.ok) return environment
  const settings: CallSettings = { ...source, answer, timeLimitMs: options.timeLimitMs }
  return success({
    command: [options.nodePath, PROGRAM, JSON.stringify(settings)],
    environment: environment.value,
    reads: [OWN_PACKAGE, PACKAGES],
  })
}

function problemOf(source: ModelSource): string | undefined {
  if (source.model.trim() === '') return 'names no model'
  if (source.baseUrl !== undefined && !isWebAddress(source.baseUrl)) {
    return 'has an invalid baseUrl: use an http:// or https:// URL without a password'
  }
  const isPlaced = source.provider === 'anthropic' || source.provider === 'openai'
  if (isPlaced || source.baseUrl !== undefined || source.provider === 'openai-compatible') return undefined
  return `has no baseUrl, which the provider ${source.provider} needs`
}

function isWebAddress(text: string): boolean {
  const address = URL.parse(text)
  return address !== null && /^https?:$/.test(address.protocol) && address.username + address.password === ''
}

/**
 * Node ignores proxies without this variable. With it, Node also sends local calls through them, so those go without.
 */
function proxyUse({ baseUrl }: ModelSource): Readonly<Record<string, string>> {
  const host = baseUrl === undefined ? '' : (URL.parse(baseUrl)?.hostname ?? '')
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(host) ? {} : { NODE_USE_ENV_PROXY: '1' }
}
