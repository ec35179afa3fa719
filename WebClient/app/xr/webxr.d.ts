// Of WebXR what the page uses: https://www.w3.org/TR/webxr/, /webxr-hit-test-1/, /webxr-dom-overlays-1/, /webxr-anchors/.

interface XRTransform { readonly matrix: Float32Array }
interface XRSpaceLike extends EventTarget {}
interface XRPoseLike { readonly transform: XRTransform; readonly emulatedPosition: boolean }
interface XRViewLike { readonly projectionMatrix: Float32Array }
interface XRViewerPoseLike extends XRPoseLike { readonly views: readonly XRViewLike[] }
interface XRHitLike { getPose(base: XRSpaceLike): XRPoseLike | null }
interface XRHitSourceLike { cancel(): void }
interface XRAnchorLike { readonly anchorSpace: XRSpaceLike; delete(): void }
interface XRLayerLike {
  readonly framebuffer: WebGLFramebuffer | null;
  getViewport(view: XRViewLike): { x: number, y: number, width: number, height: number } | null;
}
interface XRFrameLike {
  getViewerPose(space: XRSpaceLike): XRViewerPoseLike | null;
  getPose(space: XRSpaceLike, base: XRSpaceLike): XRPoseLike | null;
  getHitTestResults(source: XRHitSourceLike): readonly XRHitLike[];
  createAnchor?(pose: XRTransform, space: XRSpaceLike): Promise<XRAnchorLike>;
  readonly trackedAnchors?: ReadonlySet<XRAnchorLike>;
}
interface XRSessionLike extends EventTarget {
  readonly visibilityState: 'visible' | 'visible-blurred' | 'hidden';
  requestReferenceSpace(type: string): Promise<XRSpaceLike>;
  requestHitTestSource?(options: { space: XRSpaceLike, offsetRay?: unknown }): Promise<XRHitSourceLike>;
  requestAnimationFrame(callback: (time: number, frame: XRFrameLike) => void): number;
  updateRenderState(state: { baseLayer?: XRLayerLike, depthNear?: number, depthFar?: number }): void;
  end(): Promise<void>;
}
interface XRSystemLike {
  isSessionSupported(mode: string): Promise<boolean>;
  requestSession(mode: string, options: {
    requiredFeatures: string[], optionalFeatures: string[], domOverlay: { root: Element },
  }): Promise<XRSessionLike>;
}
interface Navigator { readonly xr?: XRSystemLike }
declare var XRWebGLLayer: { new(session: XRSessionLike, gl: WebGL2RenderingContext): XRLayerLike };
declare var XRRay: {
  new(origin: { x: number, y: number, z: number, w: number }, direction: { x: number, y: number, z: number, w: number }): unknown;
};
