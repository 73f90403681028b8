import path from 'node:path'
import type { ConfigurationFailure } from '../../../domain/job/start-failure.ts'
import { failure, type Result, success } from '../../../domain/result.ts'
import { type SandboxChoice, USUAL_SANDBOX } from '../../../domain/session/sandbox-policy.ts'
import type { Configuration, ConfigurationSource } from '../../../ports/configuration-source.ts'
import { chooseAgents } from './choose-agents.ts'
import { type ConfigurationFile, readConfigurationFile } from './configuration-file.ts'
import type { ConfigurationFields } from './configuration-schema.ts'
import { type EnvironmentSettings, readEnvironmentSettings } from './environment-settings.ts'
import { mergeAgents } from './merge-agents.ts'
import { mergeModels } from './merge-models.ts'

const LIMITS = [
  'parallel',
  'projectParallel',
  'modelParallel',
  'attemptMinutes',
  'jobMinutes',
  'maxCycles',
  'maxAttempts',
  'budgetUsd',
  'dailyUsd',
  'memoryFloorMb',
] as const

type Options = {
  readonly personFile?: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** Configuration from muster.yaml in the repository, then the person's own file, then the environment. */
export function createYamlConfiguration(options: Options): ConfigurationSource {
  return { read: (repositoryPath) => readConfiguration(options, repositoryPath) }
}

async function readConfiguration(
  options: Options,
  repositoryPath: string,
): Promise<Result<Configuration, ConfigurationFailure>> {
  const files = await readFiles(options, repositoryPath)
  if (!files.ok) return files
  const settings = readEnvironmentSettings(options.environment)
  if (!settings.ok) return settings
  const agents = mergeAgents(files.value, repositoryPath)
  const chosen = chooseAgents(files.value, settings.value, { agents, models: mergeModels(files.value) })
  if (!chosen.ok) return chosen
  const mode = settings.value.mode ?? lastSaid(files.value, 'mode')
  return success({
    checks: lastSaid(files.value, 'checks') ?? [],
    setup: lastSaid(files.value, 'setup') ?? [],
    copy: lastSaid(files.value, 'copy') ?? [],
    learnings: lastSaid(files.value, 'learnings') ?? false,
    limits: mergeLimits(files.value, settings.value),
    sandbox: mergeSandbox(files.value),
    secrets: files.value.flatMap((file) => file.fields.secrets ?? []),
    ...(mode === undefined ? {} : { mode }),
    ...chosen.value,
  })
}

function lastSaid<Field extends keyof ConfigurationFields>(
  files: readonly ConfigurationFile[],
  field: Field,
): ConfigurationFields[Field] | undefined {
  return files.findLast((file) => file.fields[field] !== undefined)?.fields[field]
}

/** The files there are, the one that wins last. */
async function readFiles(
  options: Options,
  repositoryPath: string,
): Promise<Result<readonly ConfigurationFile[], ConfigurationFailure>> {
  const places = ['muster.yaml', 'muster.yml'].map((name) => path.join(repositoryPath, name))
  const files: ConfigurationFile[] = []
  for (const place of [...places, ...(options.personFile === undefined ? [] : [options.personFile])]) {
    const read = await readConfigurationFile(place)
    if (!read.ok) return read
    if (read.value !== undefined) files.push(read.value)
  }
  const [first, second] = files.filter((file) => places.includes(file.file))
  if (first === undefined || second === undefined) return success(files)
  const problem = `stands beside ${first.file}: keep one of the two`
  return failure({ type: 'configuration-invalid', file: second.file, field: '(file)', problem })
}

/** Each field as it was last said. */
function mergeSandbox(files: readonly ConfigurationFile[]): SandboxChoice {
  const said = files.flatMap((file) => Object.entries(file.fields.sandbox ?? {}))
  const known = said.filter(([, value]) => value !== undefined)
  return Object.fromEntries([...Object.entries(USUAL_SANDBOX), ...known]) as SandboxChoice
}

function mergeLimits(
  files: readonly ConfigurationFile[],
  settings: EnvironmentSettings,
): Configuration['limits'] {
  const sources = [...files.map((file) => file.fields.limits), settings.limits]
  const entries = LIMITS.map((limit) => [
    limit,
    sources.findLast((source) => source[limit] !== undefined)?.[limit],
  ])
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}
