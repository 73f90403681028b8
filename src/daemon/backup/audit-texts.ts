import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

type AuditText = { readonly name: string; readonly text: string }

const AUDIT_FILE = /^audit-head(?:\.(?:new|accepted|broken-\w+))?$/

/** What the home remembers about the audit log, which belongs to the records. */
export async function readAuditTexts(home: string): Promise<readonly AuditText[]> {
  const names = (await readdir(home)).filter((name) => AUDIT_FILE.test(name))
  return await Promise.all(
    names.map(async (name) => ({ name, text: await readFile(join(home, name), 'utf8') })),
  )
}

/** The name of the audit file that a part of a backup contains. Undefined for any other part. */
export function auditNameOf(part: string): string | undefined {
  const name = part.startsWith('home/') ? part.slice('home/'.length) : ''
  return AUDIT_FILE.test(name) ? name : undefined
}
