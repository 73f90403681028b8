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

export type TerminalWish = {
  readonly size: ScreenSize | undefined
  readonly readOnly: boolean
  readonly take: boolean
  readonly onData: (bytes: Uint8Array) => void
  readonly onMessage: (message: TerminalMessage) => void
  /** Called once; the code tells whether there ever was a connection, and who closed it. */
  readonly onClose: (code: number) => void
}

/** A connection to a session's terminal. Disposing it leaves the session as it is. */
export interface TerminalLink extends Disposable {
  /** False when the daemon takes so little that it must be taken for gone. */
  type(bytes: Uint8Array): boolean
  resize(size: ScreenSize): void
  pause(): void
  resume(): void
  askForScreen(): void
}

const WAITING_LIMIT = 1024 * 1024

export function openTerminalLink(place: TerminalPlace, wish: TerminalWish): TerminalLink {
  const socket = new WebSocket(addressOf(place, wish), [
    TERMINAL_PROTOCOL,
    `${TERMINAL_BEARER}${place.token}`,
  ])
  socket.binaryType = 'arraybuffer'
  socket.addEventListener('message', ({ data }: { readonly data: unknown }) => {
    if (data instanceof ArrayBuffer) wish.onData(new Uint8Array(data))
    if (typeof data !== 'string') return
    const message = parseTerminalMessage(data)
    if (message !== undefined) wish.onMessage(message)
  })
  socket.addEventListener('close', ({ code }) => wish.onClose(code))
  const say = (message: ViewerMessage) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
  }
  return {
    type: (bytes) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(new Uint8Array(bytes))
      return socket.bufferedAmount < WAITING_LIMIT
    },
    resize: (size) => say({ type: 'resize', ...size }),
    pause: () => say({ type: 'pause' }),
    resume: () => say({ type: 'resume' }),
    askForScreen: () => say({ type: 'screen' }),
    [Symbol.dispose]: () => socket.close(),
  }
}

function addressOf(place: TerminalPlace, wish: TerminalWish): URL {
  const address = new URL(TERMINAL_PATH.replace('{id}', encodeURIComponent(place.sessionId)), place.url)
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:'
  if (wish.size !== undefined) {
    address.searchParams.set('columns', String(wish.size.columns))
    address.searchParams.set('rows', String(wish.size.rows))
  }
  if (wish.readOnly) address.searchParams.set('readonly', 'true')
  if (wish.take) address.searchParams.set('take', 'true')
  return address
}
