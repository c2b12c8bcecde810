// Pictures and films of the stage as files, made in the page and handed to the browser's downloads.

function download(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

// What was drawn just before: the canvas forgets it when the browser has shown it.
export function savePicture(canvas: HTMLCanvasElement, draw: () => void, name: string): void {
  draw();
  canvas.toBlob((blob) => blob && download(blob, name), "image/png");
}

export function pictureAddress(canvas: HTMLCanvasElement, draw: () => void): string {
  draw();
  return canvas.toDataURL("image/png");
}

const kinds = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm", "video/mp4"];

export function filmKind(): string | undefined {
  if (typeof MediaRecorder === "undefined" || !("captureStream" in HTMLCanvasElement.prototype)) return undefined;
  return kinds.find((kind) => MediaRecorder.isTypeSupported(kind));
}

export class Film {
  private readonly recorder: MediaRecorder;
  private readonly parts: Blob[] = [];

  constructor(canvas: HTMLCanvasElement, kind: string, name: string, onStart: () => void, onEnd: () => void) {
    this.recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: kind, videoBitsPerSecond: 8_000_000 });
    this.recorder.addEventListener("dataavailable", (event) => event.data.size > 0 && this.parts.push(event.data));
    this.recorder.addEventListener("stop", () => {
      const ending = kind.startsWith("video/mp4") ? "mp4" : "webm";
      if (this.parts.length > 0) download(new Blob(this.parts, { type: kind }), `${name}.${ending}`);
      onEnd();
    });
    this.recorder.addEventListener("start", onStart, { once: true });
    this.recorder.start(500);
  }

  stop(): void {
    if (this.recorder.state !== "inactive") this.recorder.stop();
  }
}
