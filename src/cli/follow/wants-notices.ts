import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { Surroundings } from '../surroundings.ts'

/**
 * Whether the person wants desktop notifications: by flag, by `MUSTER_NOTIFY`, or by `notify` in their own
 * configuration. A repository can't ask for them. A mistake in the file is for the daemon to report.
 */
export async function wantsNotices(
  { environment, userDirectory }: Pick<Surroundings, 'environment' | 'userDirectory'>,
  flag: boolean | undefined,
): Promise<boolean> {
  const { MUSTER_NOTIFY, XDG_CONFIG_HOME } = environment
  if (flag !== undefined) return flag
  if (MUSTER_NOTIFY !== undefined && MUSTER_NOTIFY !== '') return MUSTER_NOTIFY !== '0'
  const file = join(XDG_CONFIG_HOME ?? join(userDirectory, '.config'), 'muster', 'config.yaml')
  try {
    const settings: unknown = parse(await readFile(file, 'utf8'))
    return (
      typeof settings === 'object' && settings !== null && 'notify' in settings && settings.notify === true
    )
  } catch {
    return false
  }
}
