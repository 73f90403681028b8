import type { ConfigurationFailure } from '../../../domain/job/start-failure.ts'
import { type Result, success } from '../../../domain/result.ts'
import { readConfigurationFile } from './configuration-file.ts'
import type { ConfigurationFields } from './configuration-schema.ts'

export type DatabaseSetting = NonNullable<ConfigurationFields['database']>

/** The database in the person's own file. The daemon needs it before it works on any repository. */
export async function readDatabaseSetting(
  personFile: string,
): Promise<Result<DatabaseSetting | undefined, ConfigurationFailure>> {
  const read = await readConfigurationFile(personFile)
  return read.ok ? success(read.value?.fields.database) : read
}
