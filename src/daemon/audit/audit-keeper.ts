import { type AuditBreak, type AuditCheck, SHOWN_BREAKS } from '../../domain/audit/audit-check.ts'
import { type AuditHead, NO_AUDIT } from '../../domain/audit/audit-heads.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { AuditChain } from '../../ports/audit-chain.ts'
import type { Log } from '../../ports/log.ts'
import type { Change } from '../../ports/store/change.ts'
import type { AcceptedAudit, AuditFiles } from './audit-files.ts'

type Needs = {
  readonly chain: AuditChain
  readonly files: AuditFiles
  readonly log: Log
  /** Stores an audit entry. */
  readonly note: (change: Change) => Promise<void>
}

type Findings = { readonly head: AuditHead; readonly breaks: readonly AuditBreak[] }

/**
 * Checks the audit chain: all of it when the daemon starts and when someone asks, then each new row. The home remembers
 * the head of the chain as long as the chain is intact. A broken chain never replaces that head.
 */
export class AuditKeeper {
  readonly #needs: Needs
  #check: AuditCheck = { type: 'checking' }
  #checkedTo: AuditHead | undefined
  #turn: Promise<unknown> = Promise.resolve()

  constructor(needs: Needs) {
    this.#needs = needs
  }

  get check(): AuditCheck {
    return this.#check
  }

  /**
   * Remembers that a new home has no rows. Called before the first row can be written: from then on, a home without a
   * remembered head has lost it.
   */
  begin(): Promise<void> {
    return this.#inTurn(async () => {
      const { chain, files } = this.#needs
      const rows = await chain.list({ limit: 1 })
      if (rows.length > 0 || (await chain.head()).seq > 0) return
      const { kept } = await files.readHeads()
      if (kept === undefined) await files.keep(NO_AUDIT)
    })
  }

  /**
   * Called periodically: checks everything once, then new rows and the end of the log, and remembers the head. If the
   * end isn't as it was, checks everything again to find out what is missing.
   */
  watch(): Promise<void> {
    return this.#inTurn(async () => {
      const from = this.#checkedTo
      if (from === undefined) return this.#settle(await this.#checkAll(), [])
      const { chain } = this.#needs
      const head = await chain.head()
      const hasNewRows = head.seq !== from.seq || head.hash !== from.hash
      if (this.#check.type === 'broken') {
        if (hasNewRows) await this.#settle(await chain.check({ from, remembered: [] }), this.#check.breaks)
        return
      }
      const found = await this.#compare(from)
      if (found.breaks.length > 0) return this.#settle(await this.#checkAll(), [])
      if (hasNewRows) await this.#settle(found, [])
    })
  }

  verify(): Promise<AuditCheck> {
    return this.#inTurn(async () => {
      await this.#settle(await this.#checkAll(), [])
      return this.#check
    })
  }

  /** Records that a person has seen the breaks. From then on, the chain is checked from its current head. */
  accept(): Promise<Result<AuditCheck, { readonly type: 'audit-intact' }>> {
    return this.#inTurn(async () => {
      const { chain, files, note } = this.#needs
      const [first, ...others] = (await this.#checkAll()).breaks
      if (first === undefined) return failure({ type: 'audit-intact' } as const)
      const detail = { ...first, others: others.length }
      await note({ audit: { actor: 'person', action: 'audit-accept', subject: 'audit', detail } })
      const head = await chain.head()
      await files.accept({ head, digest: await chain.digest(head.seq) }, new Date())
      await this.#settle(await this.#checkAll(), [])
      return success(this.#check)
    })
  }

  async #checkAll(): Promise<Findings> {
    const accepted = await this.#needs.files.readAccepted()
    const found = await this.#compare(accepted?.head ?? NO_AUDIT)
    return { head: found.head, breaks: [...(await this.#checkAccepted(accepted)), ...found.breaks] }
  }

  /** Checks the rows after one, and whether the log still ends where the home remembers, or later. */
  async #compare(from: AuditHead): Promise<Findings> {
    const { chain, files } = this.#needs
    // Read before the chain: rows that are appended meanwhile come after the remembered heads.
    const { kept, beside } = await files.readHeads()
    const remembered = [kept, beside].flatMap((head) => (head === undefined ? [] : [head]))
    const found = await chain.check({ from, remembered })
    const missing: readonly AuditBreak[] = kept === undefined ? [{ type: 'head-missing' }] : []
    return { head: found.head, breaks: [...missing, ...found.breaks] }
  }

  async #checkAccepted(accepted: AcceptedAudit | undefined): Promise<readonly AuditBreak[]> {
    if (accepted === undefined) return []
    const { head, digest } = accepted
    if ((await this.#needs.chain.digest(head.seq)) === digest) return []
    return [{ type: 'accepted-changed', to: head.seq }]
  }

  async #settle({ head, breaks: found }: Findings, known: readonly AuditBreak[]): Promise<void> {
    const { files, log } = this.#needs
    const breaks = [...known, ...found].slice(0, SHOWN_BREAKS)
    const facts = { rows: head.seq, checkedAt: new Date() }
    this.#check = breaks.length === 0 ? { type: 'intact', ...facts } : { type: 'broken', ...facts, breaks }
    this.#checkedTo = head
    if (found.length > 0) log.error({ breaks: found.slice(0, 3) }, 'the audit chain is broken')
    await (breaks.length === 0 ? files.keep(head) : files.keepBeside(head))
  }

  #inTurn<Value>(act: () => Promise<Value>): Promise<Value> {
    const acted = this.#turn.then(act)
    // The caller gets the error; the next one in turn only waits.
    this.#turn = acted.catch(() => undefined)
    return acted
  }
}
