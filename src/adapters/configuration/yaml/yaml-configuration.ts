import path from 'node:path'
import type { ModelSource } from '../../../domain/agent/agent-spec.ts'
import { type ConfigurationFailure, WHOLE_FILE } from '../../../domain/job/start-failure.ts'
import { failure, type Result, success } from '../../../domain/result.ts'
import { type SandboxChoice, USUAL_SANDBOX } from '../../../domain/session/sandbox-policy.ts'
import { guardedParts } from '../../../domain/trust/guarded-parts.ts'
import { withoutUndefined } from '../../../domain/without-undefined.ts'
import type { Configuration, ConfigurationSource } from '../../../ports/configuration-source.ts'
import { chooseAgents } from './choose-agents.ts'
import { type ConfigurationFile, readConfigurationFile } from './configuration-file.ts'
import type { ConfigurationFields } from './configuration-schema.ts'
import { type EnvironmentSettings, readEnvironmentSettings } from './environment-settings.ts'
import { mergeAgents } from './merge-agents.ts'

type Options = {
  readonly personFile?: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** Reads muster.yaml in the repository, then the person's own file, then the environment. Later ones win. */
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
  const { agents, environments } = mergeAgents(files.value, repositoryPath)
  const chosen = chooseAgents(files.value, settings.value, {
    agents,
    models: mergeModels(files.value),
  })
  if (!chosen.ok) return chosen
  const mode = settings.value.mode ?? lastValue(files.value, 'mode')
  const playbook = lastValue(files.value, 'playbook')
  const failingBase = settings.value.failingBase ?? lastValue(files.value, 'failingBase')
  return success({
    checks: lastValue(files.value, 'checks') ?? [],
    setup: lastValue(files.value, 'setup') ?? [],
    copy: lastValue(files.value, 'copy') ?? [],
    learnings: lastValue(files.value, 'learnings') ?? false,
    taskList: lastValue(files.value, 'taskList') ?? 'branch',
    limits: mergeLimits(files.value, settings.value),
    sandbox: mergeSandbox(files.value),
    secrets: files.value.flatMap((file) => file.fields.secrets ?? []),
    guarded: files.value
      .filter(({ file }) => placesIn(repositoryPath).includes(file))
      .flatMap(({ fields }) => guardedParts(fields)),
    ...withoutUndefined({ mode, playbook, failingBase }),
    environments,
    ...chosen.value,
  })
}

function lastValue<Field extends keyof ConfigurationFields>(
  files: readonly ConfigurationFile[],
  field: Field,
): ConfigurationFields[Field] | undefined {
  return files.findLast((file) => file.fields[field] !== undefined)?.fields[field]
}

/** What only the person may set. */
const PERSONAL_FIELDS = ['database', 'notify'] as const

/** The files that exist; later ones win. */
async function readFiles(
  options: Options,
  repositoryPath: string,
): Promise<Result<readonly ConfigurationFile[], ConfigurationFailure>> {
  const places = placesIn(repositoryPath)
  const files: ConfigurationFile[] = []
  for (const place of [...places, ...(options.personFile === undefined ? [] : [options.personFile])]) {
    const read = await readConfigurationFile(place, { refusesLinks: places.includes(place) })
    if (!read.ok) return read
    if (read.value !== undefined) files.push(read.value)
  }
  const ofRepository = files.filter((file) => places.includes(file.file))
  for (const field of PERSONAL_FIELDS) {
    const misplaced = ofRepository.find((file) => file.fields[field] !== undefined)
    if (misplaced === undefined) continue
    const problem = 'belongs in your own ~/.config/muster/config.yaml, not in a repository'
    return failure({ type: 'configuration-invalid', file: misplaced.file, field, problem })
  }
  const [first, second] = ofRepository
  if (first === undefined || second === undefined) return success(files)
  const problem = `duplicates ${first.file}: keep only one of them`
  return failure({ type: 'configuration-invalid', file: second.file, field: WHOLE_FILE, problem })
}

/** Where a repository's own file may be. */
function placesIn(repositoryPath: string): readonly string[] {
  return ['muster.yaml', 'muster.yml'].map((name) => path.join(repositoryPath, name))
}

/** If several files define the same model, the last definition replaces the others as a whole. */
function mergeModels(files: readonly ConfigurationFile[]): ReadonlyMap<string, ModelSource> {
  const models = files.flatMap((file) => Object.entries(file.fields.models))
  return new Map(models.map(([name, fields]) => [name, withoutUndefined(fields)]))
}

function mergeSandbox(files: readonly ConfigurationFile[]): SandboxChoice {
  return mergeFields([USUAL_SANDBOX, ...files.map((file) => file.fields.sandbox ?? {})]) as SandboxChoice
}

function mergeLimits(
  files: readonly ConfigurationFile[],
  settings: EnvironmentSettings,
): Configuration['limits'] {
  return mergeFields([...files.map((file) => file.fields.limits), settings.limits])
}

/** Every field with the last value that it is given. */
function mergeFields(sources: readonly object[]): object {
  return withoutUndefined(Object.assign({}, ...sources))
}
