import {
  parseTerminalMessage,
  TERMINAL_BEARER,
  TERMINAL_PATH,
  TERMINAL_PROTOCOL,
  type TerminalMessage,
  type ViewerMessage,
} from '../../contract/terminal.ts'

export type ScreenSize = { readonly columns: number; readonly rows: number }

export type TerminalPlace = { readonly url: string; readonly token: string; readonly sessionId: string }

export type TerminalRequest = {
  readonly size: ScreenSize | undefined
  readonly readOnly: boolean
  readonly take: boolean
  readonly onData: (bytes: Uint8Array) => void
  readonly onMessage: (message: TerminalMessage) => void
  /** Called once. The code shows whether there was a connection, and who closed it. */
  readonly onClose: (code: number) => void
}

/** A connection to a session's terminal. Disposing it doesn't affect the session. */
export interface TerminalLink extends Disposable {
  /** Returns false if so much input is unsent that the daemon must be gone. */
  type(bytes: Uint8Array): boolean
  resize(size: ScreenSize): void
  pause(): void
  resume(): void
  askForScreen(): void
}

const UNSENT_LIMIT_BYTES = 1024 * 1024

export function openTerminalLink(place: TerminalPlace, options: TerminalRequest): TerminalLink {
  const socket = new WebSocket(addressOf(place, options), [
    TERMINAL_PROTOCOL,
    `${TERMINAL_BEARER}${place.token}`,
  ])
  socket.binaryType = 'arraybuffer'
  socket.addEventListener('message', ({ data }: { readonly data: unknown }) => {
    if (data instanceof ArrayBuffer) options.onData(new Uint8Array(data))
    if (typeof data !== 'string') return
    const message = parseTerminalMessage(data)
    if (message !== undefined) options.onMessage(message)
  })
  socket.addEventListener('close', ({ code }) => options.onClose(code))
  const send = (message: ViewerMessage) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
  }
  return {
    type: (bytes) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(new Uint8Array(bytes))
      return socket.bufferedAmount < UNSENT_LIMIT_BYTES
    },
    resize: (size) => send({ type: 'resize', ...size }),
    pause: () => send({ type: 'pause' }),
    resume: () => send({ type: 'resume' }),
    askForScreen: () => send({ type: 'screen' }),
    [Symbol.dispose]: () => socket.close(),
  }
}

function addressOf(place: TerminalPlace, options: TerminalRequest): URL {
  const address = new URL(TERMINAL_PATH.replace('{id}', encodeURIComponent(place.sessionId)), place.url)
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:'
  if (options.size !== undefined) {
    address.searchParams.set('columns', String(options.size.columns))
    address.searchParams.set('rows', String(options.size.rows))
  }
  if (options.readOnly) address.searchParams.set('readonly', 'true')
  if (options.take) address.searchParams.set('take', 'true')
  return address
}
