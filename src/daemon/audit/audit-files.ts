import { copyFile, readFile, rm } from 'node:fs/promises'
import { type AuditHead, NO_AUDIT } from '../../domain/audit/audit-heads.ts'
import { ignoreCodes } from '../../domain/system-error.ts'
import { writeFileWhole } from '../write-file-whole.ts'

/** What a person accepted: all rows up to the head, exactly as the digest identifies them. */
export type AcceptedAudit = { readonly head: AuditHead; readonly digest: string }

/** The kept head, and the newest one next to it if the chain is broken. */
type RememberedHeads = { readonly kept: AuditHead | undefined; readonly beside: AuditHead | undefined }

/** What the home remembers about the audit chain, outside the database. */
export type AuditFiles = {
  readHeads(): Promise<RememberedHeads>
  /** Remembers the head of an intact chain. */
  keep(head: AuditHead): Promise<void>
  /** Remembers the head of a broken chain next to the kept one, which stays as evidence. */
  keepBeside(head: AuditHead): Promise<void>
  readAccepted(): Promise<AcceptedAudit | undefined>
  /** Starts over from what a person accepted. The head kept so far gets another name. */
  accept(accepted: AcceptedAudit, at: Date): Promise<void>
}

/** `mayWrite` throws if the home is no longer this daemon's. */
export function createAuditFiles(path: string, mayWrite: () => void = () => undefined): AuditFiles {
  const beside = `${path}.new`
  const accepted = `${path}.accepted`
  const keep = async (head: AuditHead) => {
    mayWrite()
    await writeFileWhole(path, renderHead(head))
    await rm(beside, { force: true })
  }
  return {
    readHeads: async () => ({
      kept: parseHead(await readText(path)),
      beside: parseHead(await readText(beside)),
    }),
    keep,
    async keepBeside(head) {
      mayWrite()
      await writeFileWhole(beside, renderHead(head))
    },
    readAccepted: async () => parseAccepted(await readText(accepted)),
    async accept(what, at) {
      mayWrite()
      const stamp = at.toISOString().replaceAll(/\W/g, '')
      await copyFile(path, `${path}.broken-${stamp}`).catch(ignoreCodes('ENOENT'))
      await writeFileWhole(accepted, `${what.head.seq} ${what.head.hash} ${what.digest}\n`)
      await keep(what.head)
    },
  }
}

function renderHead({ seq, hash }: AuditHead): string {
  return `${seq} ${hash}\n`
}

const HEAD = /^(\d{1,15}) ([0-9a-f]{64})\s*$/
const ACCEPTED = /^(\d{1,15}) ([0-9a-f]{64}) ([0-9a-f]{0,64})\s*$/

function parseHead(text: string | undefined): AuditHead | undefined {
  if (text === undefined) return undefined
  const [, seq, hash] = HEAD.exec(text) ?? []
  // A file that was damaged can't vouch for the chain, and mustn't look like an intact one.
  if (seq === undefined || hash === undefined) return { seq: 1, hash: 'unreadable' }
  return { seq: Number(seq), hash }
}

function parseAccepted(text: string | undefined): AcceptedAudit | undefined {
  if (text === undefined) return undefined
  const [, seq, hash, digest] = ACCEPTED.exec(text) ?? []
  if (seq === undefined || hash === undefined || digest === undefined) {
    return { head: NO_AUDIT, digest: 'unreadable' }
  }
  return { head: { seq: Number(seq), hash }, digest }
}

async function readText(path: string): Promise<string | undefined> {
  return await readFile(path, 'utf8').catch(ignoreCodes('ENOENT'))
}
