/// The styles of the page, also for print, narrow screens and dark mode. They are inline, because the page loads nothing.
enum Stylesheet {
    static let text: Markup = "\(colours)\(type)\(layout)\(timeline)\(narrow)\(print)"

    private static let colours: Markup = """
        :root{--paper:#fbfaf7;--ink:#22201c;--soft:#5f5b53;--line:#dedad0;--wash:#f2efe8;--accent:#0f5c63;\
        --yes:#22663b;--no:#9c2f22;--open:#855107;--bar:#2a7f86;color-scheme:light dark}
        @media(prefers-color-scheme:dark){:root{--paper:#171614;--ink:#ece8df;--soft:#aea89c;--line:#3a3732;--wash:#211f1c;\
        --accent:#83c9cb;--yes:#8fcf9f;--no:#f0a094;--open:#e5b567;--bar:#5fb0b4}}

        """

    private static let type: Markup = """
        *{box-sizing:border-box}
        html{font-size:106.25%;-webkit-text-size-adjust:100%}
        body{margin:0;background:var(--paper);color:var(--ink);font-family:"Source Sans 3","Noto Sans",system-ui,\
        "Segoe UI","Helvetica Neue",Arial,sans-serif;line-height:1.6;overflow-wrap:anywhere}
        :lang(ja){font-family:"Noto Sans CJK JP","Noto Sans JP","Hiragino Sans","Yu Gothic",Meiryo,sans-serif;\
        line-break:strict}
        :lang(ko){font-family:"Noto Sans CJK KR","Noto Sans KR","Apple SD Gothic Neo","Malgun Gothic",sans-serif;\
        word-break:keep-all}
        h1,h2,.figures dd{font-family:"Source Serif 4","Noto Serif","Iowan Old Style","Palatino Linotype",Palatino,Georgia,\
        serif;font-weight:500;letter-spacing:-.01em}
        h1:lang(ja),h2:lang(ja),.figures dd:lang(ja){font-family:"Noto Serif CJK JP","Noto Serif JP","Hiragino Mincho ProN",\
        "Yu Mincho",serif;letter-spacing:0}
        h1:lang(ko),h2:lang(ko),.figures dd:lang(ko){font-family:"Noto Serif CJK KR","Noto Serif KR",AppleMyungjo,Batang,\
        serif;letter-spacing:0}
        h1{font-size:clamp(2.1rem,6vw,3.4rem);line-height:1.12;margin:.1em 0 .25em}
        h2{font-size:1.75rem;line-height:1.2;margin:0 0 1rem}
        h3{font-size:1.06rem;margin:2rem 0 .5rem}
        h4{font-size:.82rem;margin:0 0 .5rem;color:var(--soft);font-weight:600}
        p{margin:0 0 .75rem;max-width:42rem}
        a{color:var(--accent);text-underline-offset:.18em;text-decoration-thickness:.06em}
        :focus-visible{outline:3px solid var(--accent);outline-offset:3px;border-radius:2px}
        main:focus{outline:none}
        time,.n,.axis,.figures dd{font-variant-numeric:tabular-nums}
        code,.hash{font-family:ui-monospace,"Noto Sans Mono","DejaVu Sans Mono",Menlo,monospace;font-size:.85em}
        .lead{font-size:1.06rem;color:var(--soft);max-width:40rem;margin-bottom:1.5rem}
        .note,.hash,.id,small{color:var(--soft);font-size:.88rem}
        .yes,.good a{color:var(--yes)}.no,.bad a{color:var(--no)}.open,.open a{color:var(--open)}

        """

    private static let layout: Markup = """
        header,nav,main,footer{max-width:64rem;margin:0 auto;padding:0 clamp(1.1rem,4vw,3rem)}
        .skip{position:absolute;left:-99rem;top:.5rem;background:var(--ink);color:var(--paper);padding:.5rem 1rem;z-index:1}
        .skip:focus{left:.5rem}
        header{padding-top:clamp(2.2rem,7vw,5rem)}
        .kicker{color:var(--accent);font-weight:600;margin:0}
        .span{font-size:1.25rem;color:var(--soft);margin-bottom:1.75rem}
        .facts{display:flex;flex-wrap:wrap;gap:.5rem 2.5rem;margin:0 0 2rem;font-size:.92rem}
        .facts dt{color:var(--soft)}dd{margin:0}
        nav ul{list-style:none;display:flex;flex-wrap:wrap;gap:.25rem 1.4rem;margin:0;padding:.9rem 0;\
        border:solid var(--line);border-width:1px 0;font-size:.95rem}
        nav a{display:inline-block;padding:.2rem 0;text-decoration:none}nav a:hover{text-decoration:underline}
        section{padding:3.2rem 0 0}
        .figures{display:flex;flex-wrap:wrap;justify-content:space-between;gap:1.4rem 1.8rem;margin:0 0 2rem}
        .figures div{display:flex;flex-direction:column-reverse;justify-content:flex-end}
        .figures dt{color:var(--soft);font-size:.92rem}.figures dd{font-size:1.75rem;white-space:nowrap;line-height:1.25}
        .verdicts{list-style:none;margin:0;padding:0}
        .verdicts li{padding:.55rem 0;border-top:1px solid var(--line)}.verdicts li:last-child{border-bottom:1px solid var(--line)}
        .verdicts li::before{content:"";display:inline-block;width:.6em;height:.6em;border-radius:50%;margin-right:.75em;\
        background:var(--open)}
        .verdicts .good::before{background:var(--yes)}.verdicts .bad::before{background:var(--no)}
        .log{list-style:none;margin:0;padding:0}
        .log li{display:grid;grid-template-columns:11.5rem 1fr;gap:0 1.5rem;padding:.85rem 0;border-top:1px solid var(--line)}
        .log time{color:var(--soft);font-size:.92rem}.log p{margin:0}
        article{padding:1.6rem 0;border-top:1px solid var(--line)}
        article h3{font-size:1.25rem;margin:0}article p{margin-bottom:.4rem}
        .pair{display:grid;grid-template-columns:1fr 1fr;gap:1rem 3rem;margin-top:1rem}.pair h3{margin-top:0}
        .rows{margin:0 0 .75rem}.rows div{display:grid;grid-template-columns:9.5rem 1fr;gap:1rem;padding:.3rem 0}
        .rows dt{color:var(--soft)}.rows dt::first-letter{text-transform:uppercase}
        .verdict{font-size:1.15rem;font-weight:600}.verdict.good{color:var(--yes)}.verdict.bad{color:var(--no)}
        .question{max-width:46rem;padding-bottom:.5rem}.question ul{padding-left:1.1rem;margin:.25rem 0}
        .question h3{margin-top:1.5rem}.count{color:var(--open);margin-left:.4em}
        li{margin:.2rem 0}
        details{margin:.4rem 0}summary{cursor:pointer;color:var(--accent);font-size:.95rem;padding:.15rem 0;width:fit-content}
        blockquote{margin:.6rem 0;padding:.9rem 1.2rem;background:var(--wash);border-left:3px solid var(--accent);max-width:42rem}
        .wide{overflow-x:auto;margin:0 0 .5rem}
        table{border-collapse:collapse;width:100%;font-size:.95rem}
        caption{text-align:left;position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
        th,td{text-align:left;vertical-align:top;padding:.5rem 1.2rem .5rem 0;border-bottom:1px solid var(--line);\
        font-weight:400;min-width:6rem;overflow-wrap:break-word}
        thead th{color:var(--soft);font-size:.88rem;font-weight:600;white-space:nowrap}
        .n{text-align:right;white-space:nowrap;min-width:4rem;padding-right:2rem}
        footer{margin-top:4rem;padding-top:1.2rem;padding-bottom:3rem;color:var(--soft);font-size:.9rem}
        footer p{max-width:none}

        """

    private static let timeline: Markup = """
        .strips{display:grid;gap:1.3rem;margin-bottom:1rem}
        .strip{margin:0}.strip figcaption{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 1.5rem}
        .who{font-weight:600}.much{color:var(--soft)}
        .strip svg{display:block;width:100%;height:3.2rem;margin-top:.3rem}
        .strip rect{fill:var(--bar)}.strip line{stroke:var(--line);stroke-width:1;vector-effect:non-scaling-stroke}
        .axis{display:flex;justify-content:space-between;gap:1rem;color:var(--soft);font-size:.8rem;margin-top:.2rem}
        .axis span:last-child{text-align:right}

        """

    private static let narrow: Markup = """
        @media screen and (max-width:44rem){html{font-size:100%}.pair{grid-template-columns:1fr;gap:1.5rem}
        .log li{grid-template-columns:1fr}.rows div{grid-template-columns:1fr;gap:0}
        .figures{display:grid;grid-template-columns:repeat(2,1fr)}section{padding-top:2.6rem}.axis span:nth-child(2){display:none}
        table,tbody,th,td{display:block}thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
        tbody tr{display:grid;grid-template-columns:1fr 1fr;gap:.2rem 1.2rem;padding:.75rem 0;\
        border-bottom:1px solid var(--line)}th,td{border:0;padding:0;min-width:0}tbody th{grid-column:1/-1;font-weight:600}
        td:empty{display:none}td::before{content:attr(data-head);display:block;color:var(--soft);font-size:.82rem}
        .n{text-align:left;padding:0}}

        """

    private static let print: Markup = """
        @page{margin:18mm 16mm}
        @media print{:root{--paper:#fff;--ink:#000;--soft:#444;--line:#bbb;--wash:#f4f4f4;--accent:#000;--yes:#145228;\
        --no:#8a1f12;--open:#6b3f00;--bar:#333;color-scheme:light}
        html{font-size:10pt}header,nav,main,footer{max-width:none;padding:0}.skip,nav{display:none}
        section{padding-top:1.8rem}h2,h3,h4{break-after:avoid}.lead{break-after:avoid}
        .log li,.strip,tr,article,.question li{break-inside:avoid}
        .twin{display:none}th,td{padding-top:.22rem;padding-bottom:.22rem}.wide{overflow:visible}summary{list-style:none;color:var(--soft)}
        details::details-content{display:block;content-visibility:visible;height:auto}a{text-decoration:none}
        .strip rect,.verdicts li::before,blockquote{-webkit-print-color-adjust:exact;print-color-adjust:exact}}

        """
}
