/// The style of pages.
enum PageStyle {
  /// Fills that several diagrams share.
  static let definitions: Markup = .literal(
    """
    <svg class="symbols" width="0" height="0" aria-hidden="true"><defs>\
    <pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" \
    patternTransform="rotate(45)"><rect class="ground" width="5" height="5"></rect>\
    <rect class="hatching" width="2" height="5"></rect></pattern></defs></svg>
    """)

  /// The style sheet.
  static let sheet: Markup = .literal(
    """

    :root{--paper:#faf8f4;--card:#fff;--ink:#22262c;--soft:#5d6672;--line:#e4dfd6;--right:#2b8074;
    --wrong:#c4532f;--refused:#8b8577;--wash:#2b807418;--c0:#0067a5;--c1:#b34700;--c2:#007a57;
    --c3:#a03b86;--c4:#8a6400;--c5:#6b3fa0;--c6:#007c89;--c7:#6a6a6a;color-scheme:light dark}
    @media(prefers-color-scheme:dark){:root{--paper:#16181c;--card:#1e2126;--ink:#e9e6df;
    --soft:#a2a8b1;--line:#33373e;--right:#58b8a8;--wrong:#f08a62;--refused:#9a9485;\
    --wash:#58b8a81c;--c0:#6cb8f0;--c1:#ff9a5c;--c2:#4fcfa5;--c3:#f58ac0;--c4:#e5bd4f;--c5:#c09bf0;
    --c6:#58d0dc;--c7:#bdbdbd}}
    *{box-sizing:border-box}
    html{-webkit-text-size-adjust:100%}
    body{margin:0;background:var(--paper);color:var(--ink);
    font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
    main{max-width:1120px;margin:0 auto;padding:40px 24px 96px}
    bdi{overflow-wrap:anywhere}
    .symbols{position:absolute}
    .brand{color:var(--soft);margin:0 0 8px;letter-spacing:.02em}
    h1{font-size:clamp(20px,3vw,28px);font-weight:500;line-height:1.2;margin:0}
    h1 .number{display:block;font-size:clamp(56px,10vw,104px);font-weight:650;
    letter-spacing:-.03em;line-height:1.05;font-variant-numeric:tabular-nums}
    h2{font-size:24px;font-weight:600;letter-spacing:-.01em;margin:0 0 4px}
    h3{font-size:16px;font-weight:600;margin:0 0 8px}
    .part{margin-top:64px}
    .intro,.note,.legend,caption,figcaption{color:var(--soft);font-size:14px}
    .intro{margin:0 0 16px}
    .gauge{display:block;width:100%;height:28px;margin:20px 0 4px}
    .gauge .track{fill:var(--line)}.gauge .fill{fill:var(--right)}.gauge .range{fill:var(--ink)}
    .interval{margin:0;max-width:46em}
    .cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(160px,1fr));gap:12px;
    margin:28px 0 0}
    .cards div{background:var(--card);border:1px solid var(--line);border-radius:14px;
    padding:14px 16px}
    .cards dt{color:var(--soft);font-size:14px}
    .cards dd{margin:0;font-size:26px;font-weight:600;font-variant-numeric:tabular-nums}
    .cards dd.note{font-size:13px;font-weight:400;line-height:1.35}
    .drawing{display:block;width:100%;aspect-ratio:1;fill:none;stroke:currentColor;
    stroke-width:3.6;stroke-linecap:round;stroke-linejoin:round}
    .figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(84px,1fr));gap:10px}
    .figures.wide{grid-template-columns:repeat(auto-fill,minmax(124px,1fr));gap:14px}
    .figures figure{margin:0;background:var(--card);border:1px solid var(--line);
    border-radius:12px;padding:8px}
    .figures figure.unsure{border-style:dashed;border-color:var(--refused)}
    .figures figcaption{line-height:1.35;margin-top:4px;font-variant-numeric:tabular-nums}
    .figures figcaption b{color:var(--ink);font-weight:600}
    .figures.pairs-of-two{grid-template-columns:repeat(auto-fill,minmax(196px,1fr));gap:14px}
    .beside{display:grid;grid-template-columns:1fr 1fr;gap:8px}
    .beside.three{grid-template-columns:1fr 1fr 1fr}
    .beside .drawing+.drawing{opacity:.45}
    .beside .drawing+.drawing+.drawing{opacity:1;color:var(--right)}
    .scroll+h3{margin-top:28px}
    article{margin:0 0 24px}article h3,article .note{margin:0}
    .scenes{display:grid;gap:16px}
    .scenes figure{margin:0;background:var(--card);border:1px solid var(--line);
    border-radius:14px;padding:14px 16px}
    .scenes h3{margin:0}.scenes p{margin:0 0 8px}
    .scenes .beside{gap:16px;align-items:start}
    .scene{display:block;width:100%;height:auto;fill:none;stroke-width:1.8;stroke-linecap:round;
    stroke-linejoin:round;border:1px solid var(--line);border-radius:8px}
    .scene rect{stroke-width:.7;rx:3px}.scene .dashed{stroke-width:1.4;stroke-dasharray:5 3}
    .scene .loose{stroke:var(--soft)}
    .scene text{font-size:12px;font-weight:700;paint-order:stroke;stroke:var(--card);
    stroke-width:3px;font-variant-numeric:tabular-nums}
    .c0{--color:var(--c0)}.c1{--color:var(--c1)}.c2{--color:var(--c2)}.c3{--color:var(--c3)}
    .c4{--color:var(--c4)}.c5{--color:var(--c5)}.c6{--color:var(--c6)}.c7{--color:var(--c7)}
    .scene g{stroke:var(--color)}.scene text{fill:var(--color)}
    .names{list-style:none;margin:8px 0 0;padding:0;font-size:14px;display:flex;flex-wrap:wrap;
    gap:2px 14px}
    .names b{color:var(--color);font-weight:700}
    .line{display:block}
    .times{color:var(--soft);font-variant-numeric:tabular-nums}
    .id{font-size:12px;overflow-wrap:anywhere}
    .pairs{list-style:none;margin:0;padding:0;display:grid;gap:14px;
    grid-template-columns:repeat(auto-fill,minmax(min(100%,320px),1fr))}
    .pairs li{background:var(--card);border:1px solid var(--line);border-radius:14px;
    padding:12px 14px}
    .pair{margin:0 0 6px}
    .strip{display:grid;grid-template-columns:repeat(6,1fr);gap:4px}
    .strip .drawing{stroke-width:4.6}
    .scroll{overflow-x:auto;-webkit-overflow-scrolling:touch}
    table{border-collapse:collapse}
    caption{caption-side:top;text-align:left;padding-bottom:12px}
    .matrix{--cell:56px;font-size:13px}
    .matrix.medium{--cell:40px;font-size:12px}.matrix.small{--cell:30px;font-size:11px}
    .matrix th{font-weight:500;padding:0 6px;color:var(--soft)}
    .matrix tbody th{text-align:right;max-width:130px;white-space:nowrap;overflow:hidden;
    text-overflow:ellipsis;position:sticky;left:0;background:var(--paper);z-index:1}
    .matrix thead th{vertical-align:bottom;height:60px;padding:4px 0}
    .matrix thead .corner{text-align:right;padding-right:6px;font-style:italic;position:sticky;
    left:0;background:var(--paper);z-index:1}
    .turned{writing-mode:vertical-rl;transform:rotate(180deg);max-height:110px;overflow:hidden;
    white-space:nowrap;display:inline-block;text-align:left}
    .upright{display:block;overflow:hidden;text-overflow:ellipsis}
    .matrix thead .upright{font-size:16px}
    .matrix td{width:var(--cell);min-width:var(--cell);height:var(--cell);padding:0;
    border:1px solid var(--line);text-align:center}
    .matrix .none{background:none}
    .matrix .hit{background:color-mix(in srgb,var(--right) calc(var(--share,0)*34%),var(--card))}
    .matrix .miss{background:color-mix(in srgb,var(--wrong) calc(12% + var(--share,0)*60%),
    var(--card))}
    .matrix .rest{color:var(--soft)}
    .matrix a{position:relative;display:block;width:100%;height:100%;color:inherit;
    text-decoration:none}
    .matrix a:hover,.matrix a:focus-visible{outline:2px solid var(--ink);outline-offset:-1px}
    .matrix a .drawing{height:100%;opacity:.7;padding:1px;stroke-width:5.5}
    .matrix a b{position:absolute;right:1px;bottom:0;padding:0 2px;border-radius:4px;
    font-size:10px;line-height:1.2;font-weight:650;background:var(--card);
    font-variant-numeric:tabular-nums}
    .matrix .miss b{color:var(--wrong)}
    .sheet{display:none;position:fixed;z-index:3;left:0;right:0;bottom:0;max-height:70vh;
    overflow:auto;background:var(--card);border-top:1px solid var(--line);
    box-shadow:0 -8px 40px #0004;padding:20px max(24px,calc(50vw - 536px)) 28px}
    .sheet:target{display:block}
    .close{float:right;padding:4px 14px;border:1px solid var(--line);border-radius:99px;
    color:inherit;text-decoration:none}
    .charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,320px),1fr));
    gap:16px;margin-top:16px}
    .charts figure{margin:0;background:var(--card);border:1px solid var(--line);
    border-radius:14px;padding:16px}
    .charts figure.wide{grid-column:1/-1}
    .chart{display:block;width:100%;height:auto;overflow:visible;font-size:12px}
    .chart text{fill:var(--soft);paint-order:stroke;stroke:var(--card);stroke-width:3px;
    stroke-linejoin:round}
    .charts figcaption{margin-top:10px}
    .grid{stroke:var(--line)}.axis{stroke:var(--soft)}
    .diagonal{stroke:var(--soft);stroke-dasharray:5 4;fill:none}
    .right{fill:var(--right)}
    .wrong{fill:url(#hatch)}
    .refused{fill:none;stroke:var(--refused);stroke-width:1.2}
    .ground{fill:var(--card)}.hatching{fill:var(--wrong)}
    .chart .right{fill-opacity:.8}
    .mark{fill:var(--ink)}
    .curve{fill:none;stroke:var(--right);stroke-width:2.2;stroke-linejoin:round}
    .area{fill:var(--wash)}
    .second{fill:none;stroke:var(--wrong);stroke-width:1.8;\
    stroke-dasharray:2 4;stroke-linecap:round}
    .faint{fill:none;stroke:var(--refused);stroke-width:1;opacity:.6}
    .whisker{stroke:var(--ink);stroke-width:1.4}
    .legend span{margin-right:14px}
    .key{width:12px;height:12px;vertical-align:-1px}
    .classes{width:100%;font-variant-numeric:tabular-nums;margin-top:8px}
    .classes th,.classes td{padding:5px 10px;border-bottom:1px solid var(--line);text-align:right}
    .classes th:first-child{text-align:left;font-weight:500;padding-left:0}
    .classes thead th{color:var(--soft);font-weight:500;font-size:14px}
    .classes .bar{min-width:96px;width:22%;background:linear-gradient(to right,
    var(--wash) calc(var(--share)*100%),transparent 0)}
    .classes .f1{background:linear-gradient(to right,
    color-mix(in srgb,var(--right) 38%,transparent) calc(var(--share)*100%),transparent 0)}
    .classes .other{background:linear-gradient(to right,
    color-mix(in srgb,var(--refused) 26%,transparent) calc(var(--share)*100%),transparent 0)}
    .classes tbody th{white-space:nowrap}.classes .words{text-align:left}
    .classes .ours th{font-weight:650}.same{font-weight:700}
    .same::after{content:" · as here";font-weight:400;color:var(--soft)}
    details{margin-top:12px}
    summary{cursor:pointer;padding:8px 0;color:var(--soft)}
    .facts{margin:8px 0 0;font-size:15px}
    .facts div{display:grid;grid-template-columns:170px 1fr;gap:16px;padding:6px 0;
    border-bottom:1px solid var(--line)}
    .facts dt{color:var(--soft)}
    .facts dd{margin:0;overflow-wrap:anywhere;white-space:pre-line}
    @media(max-width:600px){main{padding:24px 16px 72px}.part{margin-top:48px}
    .cards{grid-template-columns:1fr 1fr}.figures.wide{grid-template-columns:repeat(3,1fr);gap:8px}
    .figures.wide .drawing{stroke-width:4.4}.scenes .beside{grid-template-columns:1fr}
    .classes{font-size:14px}.classes th,.classes td{padding:5px 6px}.classes .bar{min-width:58px}
    .facts div{grid-template-columns:1fr;gap:0}.matrix tbody th{max-width:86px}}
    @media print{.sheet{display:none}.part{break-inside:avoid-page}}

    """)
}
